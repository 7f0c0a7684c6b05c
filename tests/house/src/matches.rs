//! The `match` expressions that handle every variant of an enum: a new variant makes the compiler name them.

use crate::modules::visits_no_tests;
use std::collections::BTreeSet;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{ExprMatch, Item, Pat};

/// The variants of the enum `name` in a file.
pub fn variants(file: &Path, name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let items = syn::parse_file(&text).unwrap().items.into_iter();
    let found = items.filter_map(|item| match item {
        Item::Enum(found) if found.ident == name => Some(found),
        _ => None,
    });
    found.flat_map(|found| found.variants).map(|variant| variant.ident.to_string()).collect()
}

/// Whether the code, without that of tests, has a `match` whose patterns name all of these variants and nothing else
/// that would match a further one.
pub fn handles_each(text: &str, variants: &BTreeSet<String>) -> bool {
    let mut looking = Looking { variants, found: false };
    looking.visit_file(&syn::parse_file(text).unwrap());
    looking.found
}

struct Looking<'a> {
    variants: &'a BTreeSet<String>,
    found: bool,
}

impl<'ast> Visit<'ast> for Looking<'_> {
    visits_no_tests!('ast);

    fn visit_expr_match(&mut self, expression: &'ast ExprMatch) {
        let mut named = BTreeSet::new();
        let mut open = false;
        for arm in &expression.arms {
            let (names, catches_all) = names(&arm.pat);
            named.extend(names);
            open |= catches_all;
        }
        self.found |= !open && self.variants.is_subset(&named);
        visit::visit_expr_match(self, expression);
    }
}

/// The last names of the paths in a pattern, and whether it matches everything.
pub(crate) fn names(pattern: &Pat) -> (BTreeSet<String>, bool) {
    let last = |path: &syn::Path| path.segments.iter().last().map(|part| part.ident.to_string());
    let one = |path: &syn::Path| (last(path).into_iter().collect(), false);
    match pattern {
        Pat::Wild(_) => (BTreeSet::new(), true),
        // Variants begin with a capital letter; any other name is new and takes every value.
        Pat::Ident(found) => match &found.subpat {
            Some((_, inner)) => names(inner),
            None => {
                let name = found.ident.to_string();
                let new = name.starts_with(char::is_lowercase);
                (BTreeSet::from([name]), new)
            }
        },
        Pat::Path(path) => one(&path.path),
        Pat::TupleStruct(found) => one(&found.path),
        Pat::Struct(found) => one(&found.path),
        Pat::Or(either) => all(either.cases.iter(), |any, one| any | one),
        Pat::Tuple(tuple) => all(tuple.elems.iter(), |all, one| all & one),
        Pat::Guard(guarded) => (names(&guarded.pat).0, false),
        Pat::Reference(inner) => names(&inner.pat),
        Pat::Paren(inner) => names(&inner.pat),
        _ => (BTreeSet::new(), false),
    }
}

fn all<'a>(
    patterns: impl Iterator<Item = &'a Pat>,
    join: fn(bool, bool) -> bool,
) -> (BTreeSet<String>, bool) {
    let mut named = BTreeSet::new();
    let mut catches_all = None;
    for pattern in patterns {
        let (names, one) = names(pattern);
        named.extend(names);
        catches_all = Some(catches_all.map_or(one, |so_far| join(so_far, one)));
    }
    (named, catches_all.unwrap_or_default())
}
