//! Parses Terraform's language, with the lines of its blocks.

use crate::files::Written;
use hcl_edit::Span;
use hcl_edit::expr::{Expression, Object, ObjectKey};
use hcl_edit::structure::{Block, Body, Structure};

/// A file in Terraform's language.
pub(crate) struct Parsed<'a> {
    pub(crate) file: &'a Written,
    pub(crate) body: Body,
}

/// A file that cannot be parsed, with the line and the reason.
pub(crate) struct Unreadable<'a> {
    pub(crate) file: &'a Written,
    pub(crate) line: usize,
    pub(crate) message: String,
}

pub(crate) fn is_hcl(file: &Written) -> bool {
    ["tf", "tfvars", "hcl"].contains(&file.extension().as_str())
}

/// Parses the Terraform files among `files`.
pub(crate) fn parse(files: &[Written]) -> (Vec<Parsed<'_>>, Vec<Unreadable<'_>>) {
    let (mut parsed, mut unreadable) = (Vec::new(), Vec::new());
    for file in files.iter().filter(|file| is_hcl(file)) {
        // In a file that bash expands, `${…}` belongs to bash, so Terraform never sees it.
        match hcl_edit::parser::parse_body(&file.filled()) {
            Ok(body) => parsed.push(Parsed { file, body }),
            Err(error) => unreadable.push(Unreadable {
                file,
                line: error.location().line(),
                message: format!("Terraform cannot read this: {}.", error.message()),
            }),
        }
    }
    (parsed, unreadable)
}

impl Parsed<'_> {
    /// The top-level blocks, with their lines.
    pub(crate) fn blocks(&self) -> Vec<(usize, &Block)> {
        let text = self.file.filled();
        blocks(&self.body, &text)
    }

    /// The line in which `part` first occurs as a whole name.
    pub(crate) fn line_of(&self, part: &str) -> usize {
        let whole = |line: &str| {
            line.match_indices(part).any(|(at, _)| {
                let rest = &line[at + part.len()..];
                !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-')
            })
        };
        let comment = |line: &str| line.trim_start().starts_with('#');
        let lines = self.file.text.lines();
        lines
            .enumerate()
            .find(|(_, line)| !comment(line) && whole(line))
            .map_or(1, |(at, _)| at + 1)
    }
}

/// The blocks of a body with their lines in `text`.
pub(crate) fn blocks<'a>(body: &'a Body, text: &str) -> Vec<(usize, &'a Block)> {
    let with_line = |structure: &'a Structure| {
        let block = structure.as_block()?;
        let start = structure.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or_default();
        Some((before.matches('\n').count() + 1, block))
    };
    body.iter().filter_map(with_line).collect()
}

/// A block's label.
pub(crate) fn label(block: &Block, at: usize) -> &str {
    block.labels.get(at).map_or("", |label| label.as_str())
}

/// The value of a key of an object.
pub(crate) fn entry<'a>(object: &'a Object, key: &str) -> Option<&'a Expression> {
    let is = |name: &ObjectKey| match name {
        ObjectKey::Ident(name) => name.as_str() == key,
        ObjectKey::Expression(name) => name.as_str() == Some(key),
    };
    object.iter().find(|(name, _)| is(name)).map(|(_, value)| value.expr())
}

/// The value of `key =`, as text.
pub(crate) fn attribute(body: &Body, key: &str) -> Option<String> {
    body.get_attribute(key).map(|attribute| attribute.value.to_string().trim().to_owned())
}
