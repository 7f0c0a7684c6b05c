//! Things that people ask for and no blueprint builds, from `words/foreign.txt`.

use std::sync::LazyLock;

use crate::catalogue::Blueprint;
use crate::reading::words::Words;

/// What part of a wish it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The thing that the user wants; the rest of the sentence only says where.
    Main,
    /// Something beside the main thing.
    Part,
    /// Another provider.
    Place,
    /// Another operating system.
    System,
}

/// Something that cannot be built.
#[derive(Debug)]
pub struct Foreign {
    pub name: &'static str,
    pub kind: Kind,
    /// Id of the nearest blueprint.
    nearest: &'static str,
    pub cues: Vec<&'static str>,
}

static ALL: LazyLock<Vec<Foreign>> = LazyLock::new(|| {
    let lines = include_str!("../../words/foreign.txt").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(read).collect()
});

fn read(line: &'static str) -> Option<Foreign> {
    let mut fields = line.split(" | ");
    let (name, kind, nearest, cues) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let kind = match kind {
        "main" => Kind::Main,
        "part" => Kind::Part,
        "place" => Kind::Place,
        _ => Kind::System,
    };
    Some(Foreign { name, kind, nearest, cues: cues.split(", ").map(str::trim).collect() })
}

impl Foreign {
    /// Everything that the message asks for and no blueprint builds.
    pub fn in_message(words: &Words) -> Vec<&'static Foreign> {
        ALL.iter().filter(|foreign| foreign.cues.iter().any(|cue| words.means(cue))).collect()
    }

    /// The words in the message that name it.
    pub fn said(&self, words: &Words) -> String {
        let said = self.cues.iter().filter(|cue| words.means(cue)).max_by_key(|cue| cue.len());
        said.copied().unwrap_or(self.name).to_string()
    }

    /// The nearest blueprint.
    pub fn nearest(&self) -> Option<&'static Blueprint> {
        Blueprint::by_id(self.nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_its_nearest_is_a_blueprint() {
        let lines = include_str!("../../words/foreign.txt").lines();
        assert_eq!(ALL.len(), lines.filter(|line| !line.starts_with('#')).count());
        for foreign in ALL.iter() {
            assert_eq!(foreign.nearest().is_some(), foreign.kind == Kind::Main, "{}", foreign.name);
            assert!(foreign.cues.iter().all(|cue| !cue.is_empty()), "{}", foreign.name);
        }
    }
}
