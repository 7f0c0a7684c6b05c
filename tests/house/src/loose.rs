//! Uses of an enum's variants that the compiler would not ask about when the enum gets another variant.

use crate::matches::names;
use crate::modules::visits_no_tests;
use syn::visit::{self, Visit};
use syn::{ExprMatch, ExprMethodCall, FieldValue, Macro, Member, Pat, UseTree};

/// The places outside of tests that name a variant of the enum `name` other than in an arm of a `match` without a
/// catch-all, as the value of the field `field`, or to write its name with `as_str`; in words.
pub fn loose_uses(text: &str, name: &str, field: &str) -> Vec<String> {
    let mut looking = Looking { name, field, uses: Vec::new() };
    looking.visit_file(&syn::parse_file(text).unwrap());
    looking.uses
}

struct Looking<'a> {
    name: &'a str,
    field: &'a str,
    uses: Vec<String>,
}

impl Looking<'_> {
    /// Whether a path ends with the enum and one of its variants, whose names begin with a capital letter followed by a
    /// small one.
    fn is_variant(&self, path: &syn::Path) -> bool {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        matches!(parts.as_slice(), [.., owner, last] if owner == self.name && is_capital(last))
    }

    fn names_variant(&self, pattern: &Pat) -> bool {
        let mut paths = Paths { owner: self, found: false };
        paths.visit_pat(pattern);
        paths.found
    }
}

fn is_capital(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// Looks for variants in a pattern.
struct Paths<'a, 'b> {
    owner: &'a Looking<'b>,
    found: bool,
}

impl<'ast> Visit<'ast> for Paths<'_, '_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.found |= self.owner.is_variant(path);
    }
}

impl<'ast> Visit<'ast> for Looking<'_> {
    visits_no_tests!('ast);

    fn visit_expr_match(&mut self, expression: &'ast ExprMatch) {
        self.visit_expr(&expression.expr);
        let patterns = || expression.arms.iter().map(|arm| &arm.pat);
        let open = expression.arms.iter().any(|arm| names(&arm.pat).1);
        if open && patterns().any(|pattern| self.names_variant(pattern)) {
            self.uses.push(format!("a match on {} with a catch-all", self.name));
        }
        for arm in &expression.arms {
            if let Pat::Guard(guarded) = &arm.pat {
                self.visit_expr(&guarded.guard);
            }
            self.visit_expr(&arm.body);
        }
    }

    fn visit_field_value(&mut self, value: &'ast FieldValue) {
        let is_field = matches!(&value.member, Member::Named(name) if name == self.field);
        let plain = matches!(&value.expr, syn::Expr::Path(path) if self.is_variant(&path.path));
        if !(is_field && plain) {
            visit::visit_field_value(self, value);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let of_variant =
            matches!(&*call.receiver, syn::Expr::Path(path) if self.is_variant(&path.path));
        if !(of_variant && call.method == "as_str") {
            visit::visit_expr_method_call(self, call);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if self.is_variant(path) {
            let last = path.segments.iter().last().map(|part| part.ident.to_string());
            self.uses.push(format!("{}::{}", self.name, last.unwrap_or_default()));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, found: &'ast Macro) {
        let start = format!("{} :: ", self.name);
        let tokens = found.tokens.to_string();
        let mut after = tokens.split(start.as_str()).skip(1);
        if after.any(|rest| is_capital(rest.split(|c: char| !c.is_alphanumeric()).next().unwrap()))
        {
            let called = found.path.segments.iter().last().map(|part| part.ident.to_string());
            self.uses.push(format!("{}!", called.unwrap_or_default()));
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut trees = vec![&item.tree];
        while let Some(tree) = trees.pop() {
            match tree {
                UseTree::Path(path) if path.ident == self.name => {
                    self.uses.push(format!("use {}::…", self.name));
                }
                UseTree::Path(path) => trees.push(&path.tree),
                UseTree::Group(group) => trees.extend(&group.items),
                UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => {}
            }
        }
    }
}
