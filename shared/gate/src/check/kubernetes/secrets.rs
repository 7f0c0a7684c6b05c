//! Finds references to secrets and settings that nothing makes: in a namespace that the scripts create themselves, and
//! anywhere beside one that the scripts make and nothing uses.

use super::entries::made_at;
use super::{Mistakes, name, namespace};
use crate::bash::Word;
use crate::check::missing_files::mentions;
use crate::yaml::Node;
use crate::{Unit, Written};

/// Objects that use secrets and settings, and do not make any under their own names.
const USERS: [&str; 10] = [
    "CronJob",
    "DaemonSet",
    "Deployment",
    "Ingress",
    "Job",
    "Namespace",
    "Pod",
    "Service",
    "ServiceAccount",
    "StatefulSet",
];

/// Whether a command about secrets or settings names this one, or an earlier script mentions it.
fn is_commanded(unit: &Unit, wanted: &str) -> bool {
    let names =
        |word: &Word| word.text.split(['=', '/', '"', '\'', ' ', ',']).any(|part| part == wanted);
    let about =
        |word: &&str| word.contains("secret") || word.contains("configmap") || *word == "cm";
    let mut commands = unit.everywhere().flat_map(|shell| &shell.script.commands);
    commands.any(|command| {
        command.program().is_some_and(|program| program != "cat")
            && command.words.iter().any(names)
            && command.argv().iter().any(about)
    }) || unit.context.earlier.iter().any(|text| text.contains(wanted))
}

/// The fields that refer to a secret or to settings, and what they refer to.
const REFERENCES: [(&str, &str, &str); 8] = [
    ("secretKeyRef", "name", SECRET),
    ("secretRef", "name", SECRET),
    ("secret", "secretName", SECRET),
    ("secret", "name", SECRET),
    ("apiTokenSecretRef", "name", SECRET),
    ("configMapKeyRef", "name", SETTINGS),
    ("configMapRef", "name", SETTINGS),
    ("configMap", "name", SETTINGS),
];
const SECRET: &str = "secret";
const SETTINGS: &str = "config map";

/// References to secrets and settings that nothing makes.
pub(super) fn refers(
    unit: &Unit,
    object: &Node,
    objects: &[(&Written, Node)],
    found: &mut Mistakes,
) {
    let place = namespace(object);
    let earlier = unit.context.earlier.iter().copied();
    let texts: Vec<&str> = earlier.chain(std::iter::once(unit.text)).collect();
    let says = |words: &str| texts.iter().any(|text| text.contains(words));
    let created = objects.iter().any(|(_, other)| {
        other.get("kind").and_then(Node::text) == Some("Namespace") && name(other) == place
    }) || says(&format!("create namespace {place}"))
        || says(&format!("create ns {place}"));
    let own = created && place != "default";
    for node in object.all() {
        for (key, field, kind) in REFERENCES {
            let Some(reference) = node.get(key) else { continue };
            let optional = reference.get("optional").and_then(Node::text) == Some("true");
            let Some(wanted) = reference.get(field).and_then(Node::text) else { continue };
            let made = objects.iter().any(|(_, other)| {
                let kind = other.get("kind").and_then(Node::text).unwrap_or_default();
                let holds = || other.all().iter().any(|inner| std::ptr::eq(*inner, reference));
                name(other) == wanted && !USERS.contains(&kind) && !holds()
            });
            // A certificate makes the secret that it names.
            let signs: &[&str] = match kind {
                SECRET => &["secretGenerator", "secretTemplate"],
                _ => &["configMapGenerator"],
            };
            let certificate = field != "secretName" && says(&format!("secretName: {wanted}"));
            let generated = certificate || signs.iter().any(|sign| says(sign));
            let plain = wanted != "x" && !wanted.contains(['$', '{']);
            if made || is_commanded(unit, wanted) || optional || generated || !plain {
                continue;
            }
            if own {
                let message =
                    format!("Nothing makes the {kind} `{wanted}` in the namespace `{place}`.");
                found.push((reference.line, message));
            } else if mentions(&texts, wanted) == 1
                && let Some(idle) = idle(unit, kind, objects, &texts)
            {
                let message = format!(
                    "Nothing makes the {kind} `{wanted}`, and nothing uses `{idle}`, which is made here."
                );
                found.push((reference.line, message));
            }
        }
    }
}

/// A secret or settings that the scripts make and that they mention nowhere else.
fn idle(unit: &Unit, kind: &str, objects: &[(&Written, Node)], texts: &[&str]) -> Option<String> {
    let api = if kind == SECRET { "Secret" } else { "ConfigMap" };
    let written = objects.iter().map(|(_, other)| other);
    let written = written.filter(|it| it.get("kind").and_then(Node::text) == Some(api)).map(name);
    let commands = unit.everywhere().flat_map(|shell| &shell.script.commands);
    let commanded = commands.filter_map(|command| {
        let argv = command.argv();
        argv.get(made_at(&argv, api)?).copied()
    });
    let plain = |name: &&str| {
        name.len() > 1
            && !name.starts_with('-')
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b))
    };
    let mut all = written.chain(commanded).filter(plain);
    all.find(|name| mentions(texts, name) == 1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_pod_refers_to_what_is_made() {
        let said = |text: &str| crate::testing::said(super::super::examine, text).len();
        let pod = "cat >a.yaml <<'E'\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: shop\nspec:\n  containers:\n    - name: a\n      image: a/b:1\n      envFrom:\n        - configMapRef: {name: settings}\nE\n";
        let own = "kubectl create namespace shop\n";
        let tls = "cat >i.yaml <<'E'\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: a\n  namespace: shop\nspec:\n  tls:\n    - secretName: a-tls\nE\n";
        let made = |name: &str| format!("kubectl create configmap {name} --from-file=a=b\n");
        for (text, count) in [
            (format!("{own}{pod}"), 1),
            (format!("{own}{tls}{pod}"), 1),
            (format!("{own}{}{pod}", made("settings")), 0),
            (format!("{}{pod}", made("setting")), 1),
            (format!("{}{pod}kubectl get cm setting\n", made("setting")), 0),
            (pod.to_owned(), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
