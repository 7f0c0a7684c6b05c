//! Reads files of settings in the forms that most services use.

use super::table::{Form, Table};
use crate::yaml::{self, Node};
use hcl_edit::Span;
use hcl_edit::structure::Body;

/// One setting of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) line: usize,
    /// The sections that it is in and its name, with a dot between them.
    pub(super) path: String,
    pub(super) key: String,
    pub(super) value: Option<String>,
}

impl Entry {
    pub(super) fn new(line: usize, sections: &[String], key: &str, value: Option<&str>) -> Self {
        let key = key.trim().to_owned();
        let value = value.map(|value| value.trim().to_owned());
        let mut path = sections.join(".");
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&key);
        Self { line, path, key, value }
    }

    /// The sections that it is in.
    pub(super) fn parent(&self) -> &str {
        self.path.strip_suffix(&self.key).unwrap_or_default().trim_end_matches('.')
    }
}

/// What a file sets, and what its program could not read.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) entries: Vec<Entry>,
    pub(super) mistakes: Vec<(usize, String)>,
}

pub(super) fn read(text: &str, table: &Table) -> Read {
    match table.form {
        Form::Yaml => tree(text),
        Form::Hcl => blocks(text),
        _ => Lines::new(table).read(text),
    }
}

/// The state of a reader of lines.
struct Lines<'a> {
    table: &'a Table,
    /// The section in brackets, then the blocks in braces or tags, each with its line.
    section: Option<String>,
    open: Vec<(String, usize)>,
    /// A text in another language that a tag begins.
    inline: Option<String>,
    found: Read,
}

impl<'a> Lines<'a> {
    fn new(table: &'a Table) -> Self {
        Self { table, section: None, open: Vec::new(), inline: None, found: Read::default() }
    }

    fn read(mut self, text: &str) -> Read {
        let mut continues = false;
        for (at, raw) in text.lines().enumerate() {
            let line = raw.trim();
            let comment = line.is_empty() || line.starts_with(['#', ';', '!']);
            let indented = self.table.has_flag("indent") && raw.starts_with([' ', '\t']);
            let goes_on = (continues || indented) && !comment;
            continues = line.ends_with('\\');
            if goes_on {
                if let Some(value) = self.found.entries.last_mut().map(|it| &mut it.value) {
                    let before = value.take().unwrap_or_default();
                    *value = Some(format!("{} {line}", before.trim_end_matches('\\')));
                }
            } else if !comment {
                self.line(at + 1, line);
            }
        }
        if let Some((name, line)) = self.open.pop() {
            let message = format!("Nothing closes `{name}`.");
            self.found.mistakes.push((line, message));
        }
        self.found
    }

    fn line(&mut self, at: usize, line: &str) {
        if let Some(name) = &self.inline {
            if line.strip_prefix("</").and_then(|it| it.strip_suffix('>')) == Some(name) {
                self.inline = None;
            }
            return;
        }
        if line.starts_with('<') {
            return self.tag(at, line);
        }
        let words = self.table.form == Form::Words;
        if let Some(name) = line.strip_prefix('[').filter(|_| !words) {
            self.section = Some(name.trim_end_matches(']').trim().to_owned());
            if let Some((name, line)) = self.open.pop() {
                self.found.mistakes.push((line, format!("Nothing closes `{name}`.")));
            }
            self.open.clear();
            return;
        }
        let line = without_comment(line, if self.table.has_flag("exclaimed") { "#!" } else { "#" });
        if self.table.has_flag("braces") && self.braced(at, line) {
            return;
        }
        let mut sections: Vec<String> = self.section.iter().cloned().collect();
        sections.extend(self.open.iter().map(|(name, _)| name.clone()));
        let (key, value) = match self.table.form {
            Form::Colon => match line.split_once(':') {
                Some((key, "")) => {
                    self.section = Some(key.trim().to_owned());
                    (key, None)
                }
                Some((key, value)) => (key, Some(value)),
                None => (line, None),
            },
            Form::Words => split(line, char::is_whitespace),
            _ if self.table.space().is_some() || line.contains('=') => split(line, |c| c == '='),
            _ => split(line, char::is_whitespace),
        };
        let sections =
            if value.is_none() && self.table.form == Form::Colon { &[] } else { &*sections };
        self.found.entries.push(Entry::new(at, sections, key, value));
    }

    /// Whether a line begins or ends a block in braces.
    fn braced(&mut self, at: usize, line: &str) -> bool {
        if line == "}" {
            if self.open.pop().is_none() {
                self.found.mistakes.push((at, "This closes nothing.".to_owned()));
            }
            return true;
        }
        let Some(head) = line.strip_suffix('{') else { return false };
        let name = head.split([' ', '\t', '=']).next().unwrap_or_default();
        self.open.push((name.to_owned(), at));
        true
    }

    /// `<Section …>` and `</Section>`.
    fn tag(&mut self, at: usize, line: &str) {
        let name = |text: &str| -> String {
            text.chars().take_while(|c| c.is_ascii_alphanumeric()).collect()
        };
        if !self.table.has_flag("tags") {
            self.inline = line.strip_prefix('<').and_then(|it| it.strip_suffix('>')).map(name);
        } else if let Some(end) = line.strip_prefix("</") {
            let end = name(end);
            match self.open.pop() {
                Some((open, _)) if open.eq_ignore_ascii_case(&end) => {}
                Some((open, from)) => {
                    let message =
                        format!("`</{end}>` is here, but `<{open}>` of line {from} is open.");
                    self.found.mistakes.push((at, message));
                    self.open.clear();
                }
                None => self.found.mistakes.push((at, format!("`</{end}>` closes nothing."))),
            }
        } else {
            self.open.push((name(line.trim_start_matches('<')), at));
        }
    }
}

/// A line without the comment at its end, which one of these signs begins after a space or a tab.
fn without_comment<'t>(line: &'t str, signs: &str) -> &'t str {
    let blank = |at: usize| line[..at].ends_with([' ', '\t']);
    let comment = line.match_indices(|c| signs.contains(c)).find(|(at, _)| blank(*at));
    line[..comment.map_or(line.len(), |(at, _)| at)].trim()
}

fn split(line: &str, sign: impl Fn(char) -> bool) -> (&str, Option<&str>) {
    match line.find(sign) {
        Some(at) => {
            let value = line[at..].trim_start_matches(['=', ' ', '\t']);
            (&line[..at], Some(value))
        }
        None => (line, None),
    }
}

/// YAML and JSON.
fn tree(text: &str) -> Read {
    let mut found = Read::default();
    for document in yaml::documents(text).unwrap_or_default() {
        nodes(&document, &[], &mut found.entries);
    }
    found
}

fn nodes(node: &Node, sections: &[String], found: &mut Vec<Entry>) {
    for item in node.list() {
        nodes(item, sections, found);
    }
    for entry in node.map().iter().filter(|entry| entry.key != "<<") {
        found.push(Entry::new(entry.line, sections, &entry.key, entry.value.text()));
        let texts = entry.value.list().iter().filter_map(|item| Some((item.line, item.text()?)));
        found.extend(texts.map(|(line, text)| Entry::new(line, sections, &entry.key, Some(text))));
        let mut inside = sections.to_vec();
        inside.extend(entry.key.split('.').map(str::to_owned));
        nodes(&entry.value, &inside, found);
    }
}

/// The language of Terraform, Vault, Consul and Nomad.
fn blocks(text: &str) -> Read {
    let mut found = Read::default();
    match hcl_edit::parser::parse_body(text) {
        Ok(body) => body_of(text, &body, &[], &mut found.entries),
        // These programs read an older form of the language, too, and JSON: only an open block is surely wrong.
        Err(error) if text.matches('{').count() > text.matches('}').count() => {
            let message = format!("This cannot be read: {}.", error.message());
            found.mistakes.push((error.location().line(), message));
        }
        Err(_) => {}
    }
    found
}

fn body_of(text: &str, body: &Body, sections: &[String], found: &mut Vec<Entry>) {
    let line = |at: Option<std::ops::Range<usize>>| {
        let before = at.and_then(|at| text.get(..at.start)).unwrap_or_default();
        before.matches('\n').count() + 1
    };
    for given in body.attributes() {
        let value = given.value.to_string();
        let value = value.trim().trim_matches(['"', '[', ']']);
        found.push(Entry::new(line(given.key.span()), sections, given.key.as_str(), Some(value)));
    }
    for block in body.blocks() {
        found.push(Entry::new(line(block.ident.span()), sections, block.ident.as_str(), None));
        let mut inside = sections.to_vec();
        inside.push(block.ident.as_str().to_owned());
        body_of(text, &block.body, &inside, found);
    }
}
