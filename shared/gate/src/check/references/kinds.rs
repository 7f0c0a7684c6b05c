//! What each kind of file refers to.

use super::{Reference, References, plain};
use crate::Written;
use crate::check::{Task, task_documents, tasks};
use crate::places::{is_compose, is_dockerfile, is_yaml};
use crate::yaml::{self, Node};

pub(super) fn references(file: &Written, into: &mut References) {
    let mut reader = Reader { file, into };
    match file.extension().as_str() {
        "tf" => reader.terraform(),
        "html" => reader.page(),
        _ if is_dockerfile(file) => reader.dockerfile(),
        _ if is_yaml(file) => reader.yaml(),
        _ => {}
    }
}

struct Reader<'a> {
    file: &'a Written,
    into: &'a mut References,
}

impl Reader<'_> {
    /// Adds a reference to a file below one of some folders.
    fn add(&mut self, line: usize, name: &str, folders: &[String]) {
        if name.is_empty() || name.starts_with(['/', '~', '$']) || name.contains("://") {
            return;
        }
        if let Some(from) = name.find(['{', '$', '*', '?']) {
            // What the template or the pattern leaves open may be any file that ends so.
            let open = name.rfind(['}', '*', '?']).unwrap_or(from);
            let end = name.get(open + 1..).unwrap_or_default();
            let end =
                if end.is_empty() { name.rsplit_once('.').map_or("", |(_, end)| end) } else { end };
            self.into.endings.insert(if end.contains(['{', '}', '$']) {
                String::new()
            } else {
                end.to_owned()
            });
            return;
        }
        let joined = |folder: &String| match folder.as_str() {
            "" => plain(name),
            folder => plain(&format!("{folder}/{name}")),
        };
        self.into.single.push(Reference {
            from: Some(self.file.path.clone()),
            line,
            name: name.to_owned(),
            places: folders.iter().map(joined).collect(),
        });
    }

    fn here(&self) -> Vec<String> {
        vec![self.file.folder().to_owned()]
    }

    fn terraform(&mut self) {
        let text = self.file.text.clone();
        for (at, line) in text.lines().enumerate() {
            if line.trim_start().starts_with('#') {
                continue;
            }
            for start in [
                "file(\"",
                "templatefile(\"",
                "filebase64(\"",
                "filesha256(\"",
                "filemd5(\"",
                "= \"./",
                "= \"../",
            ] {
                let Some((before, rest)) = line.split_once(start) else { continue };
                let own = start.starts_with('=');
                if before.ends_with(|c: char| c.is_alphanumeric())
                    || own && before.trim() != "source"
                {
                    continue;
                }
                let Some((name, _)) = rest.split_once('"') else { continue };
                let dots = start.split_once('"').map_or("", |(_, dots)| dots);
                let name = format!("{dots}{name}");
                let name = name.replace("${path.module}/", "").replace("${path.root}/", "");
                let here = self.here();
                self.add(at + 1, &name, &here);
            }
            // Archives and patterns name folders.
            for start in ["source_dir", "source_file", "fileset("] {
                let Some((_, rest)) = line.split_once(start) else { continue };
                let Some((_, rest)) = rest.split_once("${path.module}/") else { continue };
                let name = rest.split('"').next().unwrap_or_default();
                let folder = plain(&format!("{}/{name}", self.file.folder()));
                self.into.folders.insert(folder);
            }
        }
    }

    fn page(&mut self) {
        let text = self.file.text.clone();
        for (at, line) in text.lines().enumerate() {
            for start in ["href=\"", "src=\""] {
                for (from, _) in line.match_indices(start) {
                    let rest = &line[from + start.len()..];
                    let name = rest.split(['"', '?', '#']).next().unwrap_or_default();
                    let here = self.here();
                    let name = name.trim_start_matches('/');
                    if name.contains('.') && !name.contains(':') {
                        self.add(at + 1, name, &here);
                    }
                }
            }
        }
    }

    fn dockerfile(&mut self) {
        let text = self.file.text.clone();
        let folder = self.file.folder().to_owned();
        let above = folder.rsplit_once('/').map_or("", |(above, _)| above).to_owned();
        for (at, line) in text.lines().enumerate() {
            let mut words = line.split_whitespace();
            if !words.next().is_some_and(|word| ["COPY", "ADD"].contains(&word)) {
                continue;
            }
            let words: Vec<&str> = words.collect();
            if words.iter().any(|word| word.starts_with("--from") || word.contains(['[', '<'])) {
                continue;
            }
            let plain: Vec<&str> =
                words.into_iter().filter(|word| !word.starts_with("--")).collect();
            let Some((_, sources)) = plain.split_last() else { continue };
            for source in sources {
                if source.trim_matches(['.', '/']).is_empty() {
                    self.into.folders.insert(folder.clone());
                    if folder.is_empty() || folder.ends_with("docker") {
                        self.into.folders.insert(above.clone());
                    }
                } else {
                    self.add(
                        at + 1,
                        source.trim_end_matches('/'),
                        &[folder.clone(), above.clone(), String::new()],
                    );
                }
            }
        }
    }

    fn yaml(&mut self) {
        if let Some(documents) = task_documents(self.file) {
            return self.ansible(&documents);
        }
        let Ok(documents) = yaml::documents(&self.file.filled()) else { return };
        let compose = is_compose(self.file);
        let kustomize = self.file.name().starts_with("kustomization");
        for document in &documents {
            if compose {
                self.compose(document);
            } else if kustomize {
                self.kustomization(document);
            } else if let Some(rules) = document.get("rule_files") {
                self.texts(rules);
            }
        }
    }

    /// A text or a list of texts, each the name of a file in this folder.
    fn texts(&mut self, node: &Node) {
        let here = self.here();
        for one in std::iter::once(node).chain(node.list()) {
            if let Some(text) = one.text() {
                self.add(one.line, text.trim_end_matches('/'), &here);
            }
            for key in ["path", "file"] {
                if let Some(inner) =
                    one.get(key).and_then(|inner| Some((inner.line, inner.text()?)))
                {
                    self.add(inner.0, inner.1, &here);
                }
            }
        }
    }

    fn kustomization(&mut self, document: &Node) {
        for key in
            ["resources", "bases", "components", "patches", "patchesStrategicMerge", "transformers"]
        {
            document.get(key).into_iter().for_each(|node| self.texts(node));
        }
        for key in ["configMapGenerator", "secretGenerator"] {
            for made in document.get(key).map(Node::list).unwrap_or_default() {
                for key in ["files", "envs"] {
                    for node in made.get(key).map(Node::list).unwrap_or_default() {
                        let here = self.here();
                        let text = node.text().unwrap_or_default();
                        let name = text.split_once('=').map_or(text, |(_, name)| name);
                        self.add(node.line, name, &here);
                    }
                }
            }
        }
    }

    fn compose(&mut self, document: &Node) {
        let here = self.here();
        for service in document.get("services").map(Node::map).unwrap_or_default() {
            let service = &service.value;
            service.get("env_file").into_iter().for_each(|node| self.texts(node));
            for volume in service.get("volumes").map(Node::list).unwrap_or_default() {
                let source = match volume.text() {
                    Some(text) => text.split_once(':').map(|(source, _)| (volume.line, source)),
                    None => volume.get("source").and_then(|node| Some((node.line, node.text()?))),
                };
                let Some((line, source)) = source.filter(|(_, source)| source.starts_with('.'))
                else {
                    continue;
                };
                self.add(line, source.trim_end_matches('/'), &here);
            }
            let Some(build) = service.get("build") else { continue };
            let context = build.text().or_else(|| build.get("context")?.text()).unwrap_or(".");
            let context = plain(&format!("{}/{context}", self.file.folder()));
            let file = build.get("dockerfile").and_then(|node| Some((node.line, node.text()?)));
            let (line, name) = file.unwrap_or((build.line, "Dockerfile"));
            self.add(line, name, &[context.trim_start_matches('/').to_owned()]);
        }
        for key in ["configs", "secrets"] {
            for entry in document.get(key).map(Node::map).unwrap_or_default() {
                entry.value.get("file").into_iter().for_each(|node| self.texts(node));
            }
        }
    }

    fn ansible(&mut self, documents: &[Node]) {
        let folder = self.file.folder().to_owned();
        let within = |sub: &str| match folder.as_str() {
            "" => sub.to_owned(),
            folder => format!("{folder}/{sub}"),
        };
        for play in documents.iter().flat_map(Node::list) {
            play.get("vars_files").into_iter().for_each(|node| self.texts(node));
            for key in ["import_playbook", "ansible.builtin.import_playbook"] {
                play.get(key).into_iter().for_each(|node| self.texts(node));
            }
            for role in play.get("roles").map(Node::list).unwrap_or_default() {
                let name = ["role", "name"].iter().find_map(|key| role.get(key)?.text());
                if let Some(name) = role.text().or(name).filter(|name| !name.contains(['.', '/'])) {
                    self.add(role.line, name, &[within("roles")]);
                }
            }
        }
        // In a role, the folders are next to the one of the tasks.
        let role = folder.rsplit_once('/').map_or("", |(role, _)| role).to_owned();
        for task in tasks(documents, self.file) {
            let Some((module, given)) = task.module() else { continue };
            let (sub, key) = match module {
                "copy" | "unarchive" | "assemble" | "script" => ("files", "src"),
                "template" => ("templates", "src"),
                "include_tasks" | "import_tasks" => ("tasks", "file"),
                "include_vars" => ("vars", "file"),
                "include_role" | "import_role" => ("roles", "name"),
                _ => continue,
            };
            let remote = given.get("remote_src").and_then(Node::text);
            if remote.is_some_and(|remote| !["false", "no"].contains(&remote)) {
                continue;
            }
            let free = given.text().filter(|_| key != "src" || module == "script");
            let free = free.map(|text| text.split_whitespace().next().unwrap_or_default());
            let named = given.get(key).and_then(|node| Some((node.line, node.text()?)));
            let Some((line, name)) = named.or(free.map(|text| (given.line, text))) else {
                continue;
            };
            if sub == "roles" && name.contains('.') {
                continue;
            }
            let mut places = vec![within(sub), folder.clone()];
            places.push(if role.is_empty() { sub.to_owned() } else { format!("{role}/{sub}") });
            if sub == "roles" {
                places.truncate(1);
            }
            for name in each(&task, name) {
                self.add(line, name.trim_end_matches('/'), &places);
            }
        }
    }
}

/// A name with each value of the task's loop in place of the loop's variable.
fn each(task: &Task, name: &str) -> Vec<String> {
    let get = |key: &str| task.node.get(key);
    let variable = get("loop_control").and_then(|control| control.get("loop_var")?.text());
    let variable = variable.unwrap_or("item");
    let values = ["loop", "with_items"].iter().find_map(|key| get(key)).map(Node::list);
    let values = values.unwrap_or_default();
    let filled: Vec<String> = values
        .iter()
        .flat_map(|value| {
            let whole =
                value.text().map(|text| name.replace(&format!("{{{{ {variable} }}}}"), text));
            let fields = value.map().iter().filter_map(|entry| {
                let field = format!("{{{{ {variable}.{} }}}}", entry.key);
                name.contains(&field)
                    .then(|| name.replace(&field, entry.value.text().unwrap_or_default()))
            });
            whole.into_iter().chain(fields).collect::<Vec<_>>()
        })
        .collect();
    if filled.is_empty() || !name.contains("{{") { vec![name.to_owned()] } else { filled }
}
