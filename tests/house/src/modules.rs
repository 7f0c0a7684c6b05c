//! The modules of a crate, and what each uses, as written in its sources.
//!
//! Code that only tests compile is left out. A name that a macro composes is not seen.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// A path of names. That of a module begins below its crate; the crate itself has the empty one.
pub type Names = Vec<String>;

/// The modules of a crate, by their paths.
#[derive(Debug, Default)]
pub struct Modules(BTreeMap<Names, Module>);

/// A module without those in it.
#[derive(Debug, Default)]
struct Module {
    /// Paths as they are written, in `use` and elsewhere.
    paths: BTreeSet<Names>,
    /// The names that `use` brings in, with the paths behind them.
    uses: BTreeMap<String, Names>,
}

impl Modules {
    /// Reads a crate from its `lib.rs` or `main.rs`.
    pub fn of_crate(root: &Path) -> Self {
        let mut modules = Self::default();
        modules.read(root, root.parent().unwrap(), Vec::new());
        modules
    }

    /// Reads a module from a text; the modules in it are those that the text contains.
    pub fn of_text(text: &str) -> Self {
        let mut modules = Self::default();
        modules.add(syn::parse_file(text).unwrap().items, Path::new("/nonexistent"), Vec::new());
        modules
    }

    fn read(&mut self, file: &Path, folder: &Path, path: Names) {
        let text = std::fs::read_to_string(file).unwrap();
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        if !parsed.attrs.iter().any(is_for_tests) {
            self.add(parsed.items, folder, path);
        }
    }

    fn add(&mut self, items: Vec<Item>, folder: &Path, path: Names) {
        let mut found = Found::default();
        for item in items {
            match item {
                Item::Mod(module) if module.attrs.iter().any(is_for_tests) => {}
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let (inner, path) = (folder.join(&name), below(&path, &name));
                    match module.content {
                        Some((_, items)) => self.add(items, &inner, path),
                        None => {
                            let places = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
                            let file = places.iter().find(|place| place.is_file());
                            self.read(file.expect("a module has a file"), &inner, path);
                        }
                    }
                }
                item => found.visit_item(&item),
            }
        }
        self.0.insert(path, found.0);
    }

    /// The modules that this one uses, by the places where the used items are written.
    fn used_by(&self, path: &Names) -> BTreeSet<Names> {
        let paths = self.0[path].paths.iter();
        paths.filter_map(|written| self.home(path, written, 0)).collect()
    }

    /// The module in which the item behind a path is written; `None` if it is not of this crate.
    fn home(&self, module: &Names, written: &Names, depth: usize) -> Option<Names> {
        // Two re-exports could lead to each other.
        const MOST_REEXPORTS: usize = 16;
        let (first, rest) = written.split_first().filter(|_| depth < MOST_REEXPORTS)?;
        let (mut here, mut rest) = match first.as_str() {
            "crate" => (Vec::new(), rest),
            "self" => (module.clone(), rest),
            "super" => (module.split_last()?.1.to_vec(), rest),
            name if self.0.contains_key(&below(module, name)) => (below(module, name), rest),
            name => {
                let path = self.0.get(module)?.uses.get(name).filter(|path| path[0] != name)?;
                let path = [path.clone(), rest.to_vec()].concat();
                return self.home(module, &path, depth + 1);
            }
        };
        while let Some((name, further)) = rest.split_first() {
            if name == "super" {
                here.pop()?;
            } else if self.0.contains_key(&below(&here, name)) {
                here.push(name.clone());
            } else if let Some(path) = self.0[&here].uses.get(name) {
                let path = [path.clone(), further.to_vec()].concat();
                return Some(self.home(&here, &path, depth + 1).unwrap_or(here));
            } else {
                break;
            }
            rest = further;
        }
        Some(here)
    }

    /// The knots among modules in the same folder that contain a folder: for each, the shortest way from one of its
    /// folders back to it, as a list of steps. A module without others in it is a part of the way like any other: a
    /// folder that leads back to itself through a file is as much of a knot as one that leads back through a folder.
    pub fn cycles(&self) -> Vec<Vec<String>> {
        self.knots().0
    }

    /// How many modules are in such knots.
    pub fn tied(&self) -> usize {
        self.knots().1.len()
    }

    fn knots(&self) -> (Vec<Vec<String>>, BTreeSet<Names>) {
        let folders: BTreeSet<&[String]> =
            self.0.keys().filter_map(|path| Some(path.split_last()?.1)).collect();
        let mut steps = Steps::new();
        for from in self.0.keys() {
            for to in self.used_by(from) {
                let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                if common == from.len() || common == to.len() {
                    continue;
                }
                let text = format!("{} uses {}", from.join("::"), to.join("::"));
                let next = steps.entry(from[..=common].to_vec()).or_default();
                next.entry(to[..=common].to_vec()).or_insert(text);
            }
        }
        let starts = steps.keys().filter(|path| folders.contains(path.as_slice()));
        let mut ways: Vec<_> = starts.filter_map(|start| shortest(&steps, start)).collect();
        ways.sort_by_key(Vec::len);
        let mut tied: BTreeSet<Names> = BTreeSet::new();
        let mut cycles = Vec::new();
        for way in ways {
            let (first, _) = &way[0];
            if !tied.contains(first) {
                let ahead = reached(&steps, first);
                tied.extend(ahead.into_iter().filter(|to| reached(&steps, to).contains(first)));
                cycles.push(way.into_iter().map(|(_, text)| text).collect());
            }
        }
        (cycles, tied)
    }

    /// The modules that contain a path which ends with one of these, or bring its end in.
    pub fn naming(&self, ends: &[&[&str]]) -> Vec<String> {
        let names = |written: &Names| {
            ends.iter().any(|end| written.windows(end.len()).any(|part| part == *end))
        };
        let full = |module: &Module, written: &Names| match module.uses.get(&written[0]) {
            Some(path) => [path.clone(), written[1..].to_vec()].concat(),
            None => written.clone(),
        };
        let guilty = self
            .0
            .iter()
            .filter(|(_, module)| module.paths.iter().any(|written| names(&full(module, written))));
        guilty.map(|(path, _)| path.join("::")).collect()
    }
}

/// The modules in the same folder that each module uses, with what says so.
type Steps = BTreeMap<Names, BTreeMap<Names, String>>;

/// The modules to which there is a way.
fn reached(steps: &Steps, start: &Names) -> BTreeSet<Names> {
    let mut found = BTreeSet::new();
    let mut open = vec![start];
    while let Some(here) = open.pop() {
        let next = steps.get(here).into_iter().flat_map(BTreeMap::keys);
        open.extend(next.filter(|to| found.insert((*to).clone())));
    }
    found
}

/// The shortest way from a module back to it, if there is one: the modules, each with its step to the next.
fn shortest(steps: &Steps, start: &Names) -> Option<Vec<(Names, String)>> {
    let mut before: BTreeMap<&Names, (&Names, &String)> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(here) = open.pop_front() {
        for (to, text) in steps.get(here).into_iter().flatten() {
            if let Entry::Vacant(entry) = before.entry(to) {
                entry.insert((here, text));
                open.push_back(to);
            }
        }
    }
    let mut way = Vec::new();
    let mut here = start;
    loop {
        let (from, text) = before.get(here)?;
        way.push(((*from).clone(), (*text).clone()));
        here = from;
        if here == start {
            way.reverse();
            return Some(way);
        }
    }
}

fn below(path: &[String], name: &str) -> Names {
    [path, &[name.to_owned()]].concat()
}

/// `#[cfg(test)]` and `#![cfg(test)]`, also beside other conditions.
pub(crate) fn is_for_tests(attribute: &Attribute) -> bool {
    let condition = attribute.meta.require_list().ok();
    let condition = condition.filter(|list| list.path.is_ident("cfg"));
    condition.is_some_and(|list| {
        let tokens = list.tokens.to_string();
        tokens == "test" || tokens.starts_with("all (test")
    })
}

/// The part of an `impl Visit` that leaves out the modules and functions of tests.
macro_rules! visits_no_tests {
    ($ast:lifetime) => {
        fn visit_item_mod(&mut self, module: &$ast syn::ItemMod) {
            if !module.attrs.iter().any($crate::modules::is_for_tests) {
                syn::visit::visit_item_mod(self, module);
            }
        }

        fn visit_item_fn(&mut self, function: &$ast syn::ItemFn) {
            if !function.attrs.iter().any($crate::modules::is_for_tests) {
                syn::visit::visit_item_fn(self, function);
            }
        }

        fn visit_impl_item_fn(&mut self, function: &$ast syn::ImplItemFn) {
            if !function.attrs.iter().any($crate::modules::is_for_tests) {
                syn::visit::visit_impl_item_fn(self, function);
            }
        }
    };
}
pub(crate) use visits_no_tests;

/// What the code of a module names.
#[derive(Default)]
struct Found(Module);

impl Found {
    fn add_use(&mut self, tree: &UseTree, before: &[String]) {
        match tree {
            UseTree::Path(path) => {
                self.add_use(&path.tree, &below(before, &path.ident.to_string()));
            }
            UseTree::Name(name) if name.ident == "self" => {
                self.bring(before.last().unwrap().clone(), before.to_vec());
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                self.bring(name.clone(), below(before, &name));
            }
            UseTree::Rename(rename) => {
                let name = rename.ident.to_string();
                let path = if name == "self" { before.to_vec() } else { below(before, &name) };
                self.bring(rename.rename.to_string(), path);
            }
            UseTree::Glob(_) => drop(self.0.paths.insert(before.to_vec())),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_use(tree, before));
            }
        }
    }

    fn bring(&mut self, name: String, path: Names) {
        self.0.paths.insert(path.clone());
        self.0.uses.insert(name, path);
    }

    /// The paths in what a macro gets, such as `crate::turn::start` in `tokio::select!`.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path = Names::new();
        let mut colons = 2;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons < 2 {
                        self.end(&mut path);
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.end(&mut path);
                    self.add_tokens(group.stream());
                }
                _ => self.end(&mut path),
            }
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Names) {
        if path.len() > 1 {
            self.0.paths.insert(std::mem::take(path));
        }
        path.clear();
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if !attributes.iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_use(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Names = path.segments.iter().map(|part| part.ident.to_string()).collect();
        self.0.paths.insert(names);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.add_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }
}
