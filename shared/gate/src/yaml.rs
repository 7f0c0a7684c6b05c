//! Parses YAML, with the line of every value.

use saphyr_parser::{Event, Parser, ScalarStyle};

/// How deeply a document is followed.
const DEPTH: usize = 100;

/// A value and the line where it begins, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub line: usize,
    pub value: Value,
    /// Whether it is a text in quotes or a block, which is never a number or a truth value.
    pub quoted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// The text as it is written: `1.10` keeps its zero.
    Scalar(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
    /// A reference to a value elsewhere.
    Alias,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub key: String,
    pub line: usize,
    pub value: Node,
}

/// Why a text is not valid YAML, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    pub line: usize,
    pub message: String,
}

/// How many lines of a text may stand further to the left than the parser wants.
const SHIFTED: usize = 8;

/// The documents of a text.
pub fn documents(text: &str) -> Result<Vec<Node>, Mistake> {
    let first = parsed(text);
    let mut shifted = first.as_ref().err().and_then(|mistake| shift(text, mistake));
    for _ in 0..SHIFTED {
        let Some(text) = shifted else { break };
        match parsed(&text) {
            Err(mistake) => shifted = shift(&text, &mistake),
            read => return read,
        }
    }
    first
}

/// A text with one line further to the right. The parser follows the specification, in which the lines of a quoted text
/// and the bracket that closes a list stand deeper than their key; Ansible, Docker and Kubernetes take them anywhere.
fn shift(text: &str, mistake: &Mistake) -> Option<String> {
    let depth = |line: &str| line.find(|c: char| !" -".contains(c)).unwrap_or(usize::MAX);
    let mut rest = text.lines().skip(mistake.line.checked_sub(1)?);
    let named = rest.next()?;
    let bare = if mistake.message.ends_with("invalid indentation in quoted scalar.") {
        rest.find(|line| depth(line) <= depth(named))?
    } else {
        let closes = mistake.message.ends_with(": invalid indentation.");
        Some(named).filter(|line| closes && line.trim_start().starts_with([']', '}']))?
    };
    let at = bare.as_ptr() as usize - text.as_ptr() as usize;
    let (before, after) = text.split_at(at);
    Some(format!("{before}{}{after}", " ".repeat(DEPTH)))
}

fn parsed(text: &str) -> Result<Vec<Node>, Mistake> {
    let mut reader = Reader { parser: Parser::new_from_str(text) };
    let mut documents = Vec::new();
    while let Some((event, line)) = reader.next()? {
        if !matches!(
            event,
            Event::StreamStart
                | Event::StreamEnd
                | Event::DocumentStart(_)
                | Event::DocumentEnd
                | Event::Nothing
        ) {
            documents.push(reader.node(event, line, 0)?);
        }
    }
    Ok(documents)
}

struct Reader<'a> {
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, usize)>, Mistake> {
        match self.parser.next() {
            None => Ok(None),
            Some(Ok((event, span))) => Ok(Some((event, span.start.line()))),
            Some(Err(error)) => Err(Mistake {
                line: error.marker().line(),
                message: format!("This is not valid YAML: {}.", error.info()),
            }),
        }
    }

    fn node(&mut self, event: Event<'a>, line: usize, depth: usize) -> Result<Node, Mistake> {
        let quoted = matches!(&event, Event::Scalar(_, style, ..) if *style != ScalarStyle::Plain);
        let value = match event {
            Event::Scalar(text, ..) => Value::Scalar(text.into_owned()),
            Event::SequenceStart(..) if depth < DEPTH => {
                let mut items = Vec::new();
                while let Some((event, line)) = self.next()? {
                    if event == Event::SequenceEnd {
                        break;
                    }
                    items.push(self.node(event, line, depth + 1)?);
                }
                Value::List(items)
            }
            Event::MappingStart(..) if depth < DEPTH => Value::Map(self.entries(depth)?),
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                return Err(Mistake { line, message: "This YAML is nested too deep.".into() });
            }
            _ => Value::Alias,
        };
        Ok(Node { line, value, quoted })
    }

    fn entries(&mut self, depth: usize) -> Result<Vec<Entry>, Mistake> {
        let mut entries: Vec<Entry> = Vec::new();
        while let Some((event, line)) = self.next()? {
            if event == Event::MappingEnd {
                break;
            }
            let key = self.node(event, line, depth + 1)?;
            if !key.map().is_empty() {
                // `{{ name }}` without quotes is a mapping whose key is a mapping.
                let message = "This value begins with `{`: put quotes around the template.";
                return Err(Mistake { line, message: message.into() });
            }
            let key = key.text().unwrap_or_default().to_owned();
            let Some((event, at)) = self.next()? else { break };
            let value = self.node(event, at, depth + 1)?;
            if key != "<<" && entries.iter().any(|entry| entry.key == key) {
                return Err(Mistake {
                    line,
                    message: format!("The key `{key}` appears twice here."),
                });
            }
            entries.push(Entry { key, line, value });
        }
        Ok(entries)
    }
}

impl Node {
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is written as a number or, in YAML 1.1 as Kubernetes and PyYAML read it, as a truth value.
    pub fn is_not_text(&self) -> bool {
        let words = ["yes", "no", "on", "off", "true", "false", "null", "~"];
        !self.quoted
            && self.text().is_some_and(|text| {
                text.parse::<f64>().is_ok() || words.contains(&text.to_lowercase().as_str())
            })
    }

    /// Whether it is one value or a mapping with entries where a list belongs; `x` may stand for anything.
    pub fn is_single(&self) -> bool {
        self.text().is_some_and(|text| !text.is_empty() && text != "x") || !self.map().is_empty()
    }

    pub fn list(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    pub fn map(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.map().iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// This node and all nodes in it, in the order of the text.
    pub fn all(&self) -> Vec<&Node> {
        let mut found = vec![self];
        match &self.value {
            Value::List(items) => found.extend(items.iter().flat_map(Node::all)),
            Value::Map(entries) => found.extend(entries.iter().flat_map(|e| e.value.all())),
            _ => {}
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_line() {
        let read = documents("# x\na:\n  - b: 1.10\n---\nc: *d\n").err();
        assert!(read.is_some(), "an alias without an anchor is a mistake");
        let read = documents("# x\na: &d\n  - b: 1.10\n    e: *d\n---\nc: x\n");
        let read = match read {
            Ok(read) => read,
            Err(mistake) => panic!("{mistake:?}"),
        };
        let list = read[0].get("a").unwrap();
        let b = list.list()[0].map()[0].clone();
        assert_eq!((b.key.as_str(), b.line, b.value.text()), ("b", 3, Some("1.10")));
        assert_eq!(read.len(), 2);
    }

    #[test]
    fn a_text_may_go_on_at_the_left_as_the_programs_read_it() {
        for text in [
            "a:\n  b: [\n    c,\n]\nd: e\n",
            "a:\n  b: 'c\nd\n  e'\nf: g\n",
            "a:\n  - b: \"c\n    d\"\n    e: f\n",
        ] {
            assert!(documents(text).is_ok(), "{text}");
        }
        for text in ["a: 'b\nc: d\n", "a: 'b\nc: 'd'\n", "a: [b\nc: d\n", "a:\n  b:\n]\n"] {
            assert!(documents(text).is_err(), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, line) in [
            ("a: b: c\n", 1),
            ("a:\n  - b\n c: d\n", 3),
            ("a: 1\nb: 2\na: 3\n", 3),
            ("a: {{ b }}\n", 1),
        ] {
            assert_eq!(documents(text).unwrap_err().line, line, "{text}");
        }
    }
}
