//! Manual pages, if the system has them. The sandbox image does; the machine of a local stack may not.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use protocol::Topic;

use super::{Found, Shelf, TEXT_BYTES, is_installed};

const FOLDER: &str = "/usr/share/man";

/// The order in which sections are searched: commands and configuration before programming interfaces.
const SECTIONS: [char; 9] = ['1', '8', '5', '7', '2', '3', '4', '6', '9'];

/// Formats the page in the file `page` as plain text.
const FORMAT: &str = "groff -t -Tutf8 -P-c -P-b -P-o -P-u -mandoc -rLL=100n page";

/// How many times a page may redirect to another one.
const MOVED: usize = 3;

pub(super) async fn manual(shelf: &Shelf, topic: &Topic) -> io::Result<Found> {
    let Some((page, section)) = topic.manual() else {
        return Ok(Found::nothing("This is not the name of a manual page."));
    };
    if !Path::new(FOLDER).join("man1").is_dir() || !is_installed("groff") {
        return Ok(Found::nothing(
            "This sandbox has no manual pages. Programs' own help is there: ask by the kind `program`.",
        ));
    }
    let wanted =
        SECTIONS.into_iter().filter(|known| section.is_none_or(|section| section == *known));
    let mut file = wanted.filter_map(|section| find(page, section)).next();
    for _ in 0..MOVED {
        let Some(path) = file.take() else { break };
        // The name contains no character that is special to bash.
        let unpack = format!("zcat -f -- {}", path.display());
        let source = shelf.run(&unpack, Vec::new(), TEXT_BYTES).await?.stdout;
        if let Some((page, section)) = source.lines().next().and_then(other) {
            file = find(page, section);
            continue;
        }
        fs::write(shelf.desk.join("page"), source)?;
        let text = shelf.run(FORMAT, Vec::new(), TEXT_BYTES).await?.stdout;
        return Ok(match text.trim().is_empty() {
            false => Found::Text(text),
            true => Found::nothing("The page could not be formatted."),
        });
    }
    Ok(Found::nothing(format!("This sandbox has no manual page `{}`.", topic.name())))
}

/// The file of a page.
fn find(page: &str, section: char) -> Option<PathBuf> {
    let folder = Path::new(FOLDER).join(format!("man{section}"));
    let names = [format!("{page}.{section}.gz"), format!("{page}.{section}")];
    names.into_iter().map(|name| folder.join(name)).find(|file| file.is_file())
}

/// The page that `.so man8/ip-address.8` redirects to.
fn other(first: &str) -> Option<(&str, char)> {
    let file = first.strip_prefix(".so ")?.trim();
    let (folder, name) = file.split_once('/').unwrap_or(("", file));
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let (page, section) = name.rsplit_once('.')?;
    let section = section.chars().next().filter(|section| SECTIONS.contains(section))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "._@+:-".contains(c);
    (folder.is_empty() || folder == format!("man{section}"))
        .then_some((page, section))
        .filter(|(page, _)| page.chars().all(plain) && !page.starts_with(['-', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_may_redirect_to_another_page_of_the_system() {
        assert_eq!(other(".so man8/ip-address.8"), Some(("ip-address", '8')));
        assert_eq!(other(".so crontab.5.gz"), Some(("crontab", '5')));
        for first in
            ["", ".TH LS 1", ".so /etc/passwd", ".so man1/../x.1", ".so man1/a;b.1", ".so x"]
        {
            assert_eq!(other(first), None, "{first}");
        }
    }
}
