//! Reads a table: lines that begin with a keyword.

use super::entries::Entry;
use crate::check::nearest;

/// How the files of a service are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Bind,
    Colon,
    Equals,
    Hcl,
    Words,
    Yaml,
}

/// A value that is dangerous.
pub(super) struct Refusal {
    /// The setting, in lower case.
    pub(super) name: &'static str,
    /// Patterns of values, in lower case.
    pub(super) values: Vec<String>,
    /// Another setting beside it, and the pattern of its value, without which this one is harmless.
    pub(super) with: Option<(&'static str, &'static str)>,
    /// Settings beside it that make this one harmless.
    pub(super) without: Vec<&'static str>,
    pub(super) why: &'static str,
}

/// Two settings of which the first is at most the second, where another one beside them has a value.
pub(super) struct Order {
    pub(super) small: &'static str,
    pub(super) large: &'static str,
    pub(super) with: Option<(&'static str, &'static str)>,
}

pub(super) struct Table {
    pub(super) form: Form,
    /// What the form may also have: `braces`, `indent`, `path`, `tags`.
    flags: Vec<&'static str>,
    /// The sections that have these settings; empty if all have them.
    sections: Vec<&'static str>,
    /// Sections whose names of settings are the author's own.
    free: Vec<&'static str>,
    pub(super) any_case: bool,
    /// A character that means the same as another one in names.
    same: Option<(char, char)>,
    /// What stands for a space in the names of the table.
    spaces: Option<char>,
    /// A character before a name that is not a part of the name.
    skip: Option<char>,
    /// Whether the program has no other settings.
    all: bool,
    pub(super) known: Vec<&'static str>,
    /// Kinds of values, and the settings that take them.
    pub(super) takes: Vec<(&'static str, Vec<&'static str>)>,
    /// Settings whose values name what others define: the setting, and where its names are defined.
    pub(super) links: Vec<(&'static str, Vec<&'static str>)>,
    pub(super) orders: Vec<Order>,
    pub(super) refusals: Vec<Refusal>,
}

impl Table {
    pub(super) fn new(text: &'static str) -> Self {
        let mut table = Self {
            form: Form::Equals,
            flags: Vec::new(),
            sections: Vec::new(),
            free: Vec::new(),
            any_case: false,
            same: None,
            spaces: None,
            skip: None,
            all: false,
            known: Vec::new(),
            takes: Vec::new(),
            links: Vec::new(),
            orders: Vec::new(),
            refusals: Vec::new(),
        };
        for line in text.lines() {
            let Some((word, rest)) = line.split_once(' ') else { continue };
            let words = || rest.split(' ').filter(|word| !word.is_empty());
            let first = || rest.chars().next();
            match word {
                "form" => {
                    table.form = form(words().next().unwrap_or_default());
                    table.flags = words().skip(1).collect();
                }
                "sections" => table.sections = words().collect(),
                "free" => table.free = words().collect(),
                "case" => table.any_case = rest == "any",
                "same" => table.same = first().zip(rest.chars().nth(2)),
                "spaces" => table.spaces = first(),
                "skip" => table.skip = first(),
                "names" => table.all = rest == "all",
                "known" => table.known.extend(words()),
                "take" => {
                    let taken = rest.split_once(": ");
                    table.takes.extend(taken.map(|(kinds, of)| (kinds, of.split(' ').collect())));
                }
                "link" => {
                    let link = rest.split_once(" to ");
                    table.links.extend(link.map(|(name, to)| (name, to.split(' ').collect())));
                }
                "order" => table.orders.extend(order(rest)),
                "refuse" => table.refusals.extend(refusal(rest)),
                _ => {}
            }
        }
        table
    }

    pub(super) fn has_flag(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    /// The separator that stands for a space in names.
    pub(super) fn space(&self) -> Option<char> {
        self.spaces
    }

    /// The name of a setting as the table writes it.
    pub(super) fn name(&self, entry: &Entry) -> String {
        self.written(if self.has_flag("path") { &entry.path } else { &entry.key })
    }

    fn written(&self, name: &str) -> String {
        let name = self.skip.map_or(name, |sign| name.trim_start_matches(sign));
        let name = match self.spaces {
            Some(sign) => name.split_whitespace().collect::<Vec<_>>().join(&sign.to_string()),
            None => name.to_owned(),
        };
        let name = match self.same {
            Some((one, other)) => name.replace(other, &one.to_string()),
            None => name,
        };
        if self.any_case { name.to_lowercase() } else { name }
    }

    /// Whether an entry is the setting that a rule names: `/ssl` is one outside all sections, and a name with a dot is
    /// a path, in which `*` is any part.
    pub(super) fn is_named(&self, name: &str, entry: &Entry) -> bool {
        if let Some(top) = name.strip_prefix('/') {
            return entry.parent().is_empty() && self.written(&entry.key) == self.written(top);
        }
        if self.has_flag("path") && !name.starts_with("*.") {
            return is_like_path(name, &entry.path);
        }
        let key = self.written(name.trim_start_matches("*."));
        self.written(&entry.key).eq_ignore_ascii_case(&key)
    }

    /// Whether an entry has the name of a setting, wherever it is.
    pub(super) fn has_key(&self, name: &str, entry: &Entry) -> bool {
        self.written(&entry.key).eq_ignore_ascii_case(&self.written(name))
    }

    /// What is wrong with the name of a setting.
    pub(super) fn unknown(&self, entry: &Entry) -> Option<String> {
        let section = entry.path.split('.').next().unwrap_or_default();
        let section = if entry.parent().is_empty() { "" } else { section };
        let other = !self.sections.is_empty() && !self.sections.contains(&section);
        let own = |name: &&str| entry.parent().split('.').any(|part| part == *name);
        if other || self.free.iter().any(own) || self.known.is_empty() {
            return None;
        }
        let known = self.beside(entry)?;
        let name = self.written(&entry.key);
        // Most names are right, and as the table writes them.
        if known.contains(&name.as_str()) {
            return None;
        }
        let same = known.iter().any(|one| match one.strip_suffix('*') {
            Some(start) => name.starts_with(&self.written(start)),
            None => self.written(one) == name,
        });
        let sign = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if same || name.len() < 3 || !name.chars().all(sign) {
            return None;
        }
        let shown = entry.key.trim();
        let lower: Vec<String> = known.iter().map(|one| self.written(one)).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        // A mistake in the first letter is rare.
        let alike: Vec<&str> =
            lower.iter().filter(|one| one.get(..1) == name.get(..1)).copied().collect();
        let near = nearest(&name, &alike).or_else(|| nearest(&name, &lower));
        let near = near.or_else(|| kin(&name, &lower)).filter(|near| is_near_by_parts(&name, near));
        let at = near.and_then(|near| lower.iter().position(|one| *one == near));
        let near = at.and_then(|at| known.get(at));
        match near
            .map(|near| self.spaces.map_or((*near).to_owned(), |sign| near.replace(sign, " ")))
        {
            Some(near) => Some(format!("`{shown}` is not a setting here, but `{near}` is.")),
            None => self.all.then(|| format!("`{shown}` is not a setting here.")),
        }
    }

    /// The names that may stand where an entry is; `None` if the table does not say.
    fn beside(&self, entry: &Entry) -> Option<Vec<&'static str>> {
        if !self.has_flag("path") {
            return Some(self.known.clone());
        }
        let parent = entry.parent();
        let depth = if parent.is_empty() { 0 } else { parent.split('.').count() };
        let mut found: Vec<&'static str> = Vec::new();
        for known in &self.known {
            let start = known.split('.').zip(parent.split('.').filter(|part| !part.is_empty()));
            let mut seen = 0;
            let same = start.into_iter().all(|(one, other)| {
                seen += 1;
                one == "*" || one == "**" || one == other
            });
            let below = known.split('.').take(depth).any(|part| part == "**");
            if same && below {
                return None;
            }
            if same && seen == depth {
                found.extend(known.split('.').nth(depth));
            }
        }
        (!found.is_empty() && !found.contains(&"**")).then_some(found)
    }
}

/// A name whose words are those of another one but for the end of one of them: `min` and `minimum`.
fn kin<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let parts =
        |name: &str| -> Vec<String> { name.split(['_', '-', '.']).map(str::to_owned).collect() };
    let own = parts(name);
    known.iter().copied().find(|other| {
        let other = parts(other);
        let mut differ = own.iter().zip(&other).filter(|(one, other)| one != other);
        let (Some((one, other_part)), None) = (differ.next(), differ.next()) else { return false };
        let common = one.chars().zip(other_part.chars()).take_while(|(a, b)| a == b).count();
        own.len() == other.len()
            && own.len() > 1
            && common >= 3
            && common + 3 > one.len().min(other_part.len())
    })
}

/// Whether each part of a name with dots is near its counterpart: `net.ipv4.conf.lo.rp_filter` is not a misspelled
/// `net.ipv4.conf.all.rp_filter`.
fn is_near_by_parts(name: &str, other: &str) -> bool {
    let pairs = name.split('.').zip(other.split('.'));
    name.split('.').count() != other.split('.').count()
        || pairs
            .into_iter()
            .filter(|(one, other)| one != other)
            .all(|(one, other)| nearest(one, &[other]).is_some() || kin(one, &[other]).is_some())
}

fn form(word: &str) -> Form {
    match word {
        "bind" => Form::Bind,
        "colon" => Form::Colon,
        "hcl" => Form::Hcl,
        "words" => Form::Words,
        "yaml" => Form::Yaml,
        _ => Form::Equals,
    }
}

/// `SMALL LARGE [with NAME PATTERN]`
fn order(text: &'static str) -> Option<Order> {
    let (pair, with) = text.split_once(" with ").unwrap_or((text, ""));
    let (small, large) = pair.split_once(' ')?;
    Some(Order { small, large, with: with.split_once(' ') })
}

/// `NAME = PATTERN… [with NAME PATTERN] [without NAME…]: WHY`
fn refusal(text: &'static str) -> Option<Refusal> {
    let (rule, why) = text.split_once(": ")?;
    let (rule, without) = rule.split_once(" without ").unwrap_or((rule, ""));
    let (rule, with) = rule.split_once(" with ").unwrap_or((rule, ""));
    let (name, values) = rule.split_once(" = ")?;
    Some(Refusal {
        name,
        values: values.split(' ').map(str::to_lowercase).collect(),
        with: with.split_once(' '),
        without: without.split(' ').filter(|name| !name.is_empty()).collect(),
        why,
    })
}

/// Whether a path fits a pattern with `*` for any text.
pub(super) fn is_like(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else {
        // `*/name` is also the bare name.
        return pattern.strip_prefix("*/") == Some(path);
    };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else {
            return pattern.strip_prefix("*/") == Some(path);
        };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    match last {
        None => rest.is_empty(),
        Some(last) => path.ends_with(last) || pattern.strip_prefix("*/") == Some(path),
    }
}

/// The same for names with dots, in which `*` is one whole part.
fn is_like_path(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) =
        (pattern.split('.').collect(), path.split('.').collect());
    pattern.len() == path.len()
        && pattern.iter().zip(&path).all(|(one, other)| *one == "*" || one == other)
}
