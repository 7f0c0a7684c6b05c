//! Finds names that a program in Python imports from a module of the same scripts, which does not define them.

use super::names::defines;
use crate::{Unit, Written};

/// Imports of such names, with their lines.
pub(super) fn unknown(unit: &Unit, place: &str, text: &str) -> Vec<(usize, String)> {
    let modules: Vec<&Written> =
        unit.tree.iter().filter(|file| file.extension() == "py" && !file.expands).collect();
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some((module, names)) = import(line) else { continue };
        let Some(file) = written(&modules, place, module) else { continue };
        for name in names.split(',') {
            let name = name
                .trim()
                .trim_matches(['(', ')'])
                .split(" as ")
                .next()
                .unwrap_or_default()
                .trim();
            let sign = if module.ends_with('.') { "" } else { "." };
            let inner = format!("{module}{sign}{name}");
            let plain = crate::bash::is_name(name);
            let known = defines(&file.text, name) || written(&modules, place, &inner).is_some();
            // A package may have modules of other steps.
            let folder = file.folder();
            let beside = unit.tree.iter().any(|other| other.folder() == format!("{folder}/{name}"));
            if plain && !known && !beside {
                found.push((at + 1, format!("The module `{module}` defines no `{name}`.")));
            }
        }
    }
    found
}

/// The module and the names of an import in one line.
fn import(line: &str) -> Option<(&str, &str)> {
    let (module, names) = line.trim().strip_prefix("from ")?.split_once(" import ")?;
    let names = names.split('#').next().unwrap_or(names).trim();
    (!names.contains('*') && !names.is_empty()).then_some((module.trim(), names))
}

/// The file of a module, beside the file that imports it or in a folder of sources.
fn written<'a>(modules: &[&'a Written], place: &str, module: &str) -> Option<&'a Written> {
    let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
    let up = module.len() - module.trim_start_matches('.').len();
    let path = module[up..].replace('.', "/");
    let homes: Vec<String> = if up > 0 {
        let mut above = folder;
        for _ in 1..up {
            above = above.rsplit_once('/').map_or("", |(above, _)| above);
        }
        vec![above.to_owned()]
    } else {
        // Inside of a package, a name without dots is that of another package.
        let package = modules.iter().any(|file| {
            file.folder() == folder && ["__init__.py", "wsgi.py", "asgi.py"].contains(&file.name())
        });
        let own = (!package).then(|| folder.to_owned());
        let others = [format!("{folder}/src"), String::new(), "src".to_owned()];
        own.into_iter().chain(others).collect()
    };
    let at = |home: &str| {
        let base = format!("{home}/{path}");
        let base = base.trim_matches('/').to_owned();
        [format!("{base}.py"), format!("{base}/__init__.py")]
    };
    let found = homes.iter().find_map(|home| {
        let paths = at(home);
        modules.iter().find(|file| paths.iter().any(|path| file.path.trim_matches('/') == path))
    });
    // A program without its own file may start in any folder.
    let ends = || {
        let ends = [
            format!("/src/{path}/__init__.py"),
            format!("/src/{path}.py"),
            format!("/{path}/__init__.py"),
        ];
        modules
            .iter()
            .find(|file| up == 0 && ends.iter().any(|end| format!("/{}", file.path).ends_with(end)))
    };
    found.or_else(|| ends().filter(|_| place.is_empty())).copied()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_module_defines_what_is_imported_from_it() {
        let said = |text: &str| {
            let base = "cat >app/src/shop/__init__.py <<'E'\nfrom flask import Flask\napp = Flask(__name__)\nE\ncat >app/src/shop/store.py <<'E'\ndef load():\n    return 1\nE\n";
            crate::testing::said(super::super::examine, &format!("{base}{text}")).len()
        };
        let program = |line: &str| format!("python3 - <<'E'\n{line}\nE\n");
        let file = |line: &str| format!("cat >app/src/shop/web.py <<'E'\n{line}\nE\n");
        assert_eq!(said(&program("from shop import application")), 1);
        assert_eq!(said(&file("from .store import laod\nlaod()")), 1);
        assert_eq!(said(&file("from shop.store import save\nsave()")), 0);
        for text in [
            program("from shop import app, store"),
            program("from flask import Response"),
            // The package of this name, not the module beside it.
            file("from store import Other\nOther()"),
            file("from .store import load as read\nread()"),
            file("from . import store, app\nstore.load(app)"),
        ] {
            assert_eq!(said(&text), 0, "{text}");
        }
    }
}
