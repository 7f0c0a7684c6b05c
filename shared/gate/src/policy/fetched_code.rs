//! Finds code from the network that runs although nothing compared it with what its author published.
//!
//! Whoever controls the server, or the name of its address, would control the machine. The code may reach its
//! interpreter through a pipe, a substitution, a variable or a file. Text that the script decodes first is no better:
//! the person who approves the script cannot read it.

mod added;
mod compared;
mod fetch;
mod javascript;
mod opened;
mod python;
mod runs;

use crate::bash::{self, Command, Piece, Script, Sign};
use crate::check::{error, task_documents, tasks};
use crate::places::{is_dockerfile, is_shell};
use crate::yaml::Node;
use crate::{POLICY, Unit};
pub(super) use compared::Comparisons;
use domain::gate::Finding;
pub(super) use fetch::{asks, saved};
use fetch::{decodes, fetches, substitutions};
use runs::{Kept, Place, code, is_interpreter, runs_input, unpacks_programs};
use std::collections::BTreeSet;

const UNSEEN: &str = "This runs whatever a site serves at that moment. Download a fixed version \
and compare its digest.";
const UNREAD: &str =
    "The person who approves this cannot read what it runs: write out the commands.";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let before = findings.len();
    let encodes = unit.everywhere().any(|shell| shell.script.commands.iter().any(fetch::encodes));
    let mut carried = Vec::new();
    for again in [false, true] {
        // What one script copies to a server may run in another one there.
        let seeds = std::mem::take(&mut carried);
        if again && seeds.is_empty() {
            break;
        }
        findings.truncate(before);
        for shell in unit.running() {
            let compared = Comparisons::new(&shell.script, unit);
            let mut sources = Sources::new(&shell.script, &compared, encodes);
            sources.files.extend(seeds.clone(), 0);
            let mut found = sources.run(0);
            found.dedup();
            carried.append(&mut sources.files.carried);
            for (line, message) in found {
                let line = line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
    let executed = python::executed(unit.text).into_iter().map(|(line, _)| line);
    for line in executed.chain(javascript::executed(unit)) {
        findings.push(error(POLICY, UNSEEN).at(None, line));
    }
    for file in unit.written() {
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            let Some(("get_url", given)) =
                task.module().map(|(name, given)| (bash_name(name), given))
            else {
                continue;
            };
            let text = |key: &str| given.get(key).and_then(Node::text);
            let runs = text("mode").is_some_and(runs::is_executable);
            if runs && text("checksum").is_none() && !file.text.contains("checksum") {
                findings.push(error(POLICY, UNSEEN).at(Some(&file.path), given.line));
            }
        }
        for line in added::programs(file) {
            findings.push(error(POLICY, UNSEEN).at(Some(&file.path), line));
        }
    }
    if findings.len() == before {
        lines(unit, findings);
    }
}

/// The name of a module without its collection.
fn bash_name(module: &str) -> &str {
    module.rsplit('.').next().unwrap_or(module)
}

/// The same in texts other than shell scripts, line by line: a pipeline's steps, cloud-init, a task.
fn lines(unit: &Unit, findings: &mut Vec<Finding>) {
    // A document may tell how something is installed.
    let told: Vec<(usize, usize)> = unit
        .files
        .iter()
        .filter(|file| !is_shell(file) && !is_dockerfile(file) && !unit.carries(file))
        .map(|file| (file.line, file.line + file.text.matches('\n').count()))
        .collect();
    for (at, line) in unit.text.lines().enumerate() {
        let line = line.trim();
        let fed = told.iter().any(|(from, to)| (*from..*to).contains(&(at + 1)));
        if !fed && !line.starts_with('#') && runs_unseen(line) {
            findings.push(error(POLICY, UNSEEN).at(None, at + 1));
        }
    }
}

fn runs_unseen(line: &str) -> bool {
    let fetches = ["curl ", "wget "].iter().any(|program| line.contains(program));
    let parts = line.split('|').skip(1);
    let mut runs = parts.filter(|part| !part.is_empty()).map(|part| {
        let mut words = part.split_whitespace();
        let word = words.find(|word| *word != "sudo" && !word.starts_with('-') && *word != "env");
        let first = word.unwrap_or_default().trim_matches(['"', '\'', ')', ';']);
        // `python3 -m json.tool`, `perl -ne …` and `python3 check.py` have their program already.
        let given = ["-m", "-c", "-e", "-n", "-ne", "-pe"];
        let file = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphanumeric() || "./~$".contains(c))
                && word != "/dev/stdin"
        };
        let ended = part.contains(';');
        let own = words.next().is_some_and(|word| given.contains(&word) || (!ended && file(word)));
        // A here-document takes the place of what the pipe brings.
        is_interpreter(first) && !own && !part.contains("<<")
    });
    fetches && runs.any(|runs| runs)
}

/// What a command hands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sent {
    /// What a server answered.
    Fetched,
    /// A text that only a program can read.
    Decoded,
}

impl Sent {
    fn message(self) -> &'static str {
        match self {
            Self::Fetched => UNSEEN,
            Self::Decoded => UNREAD,
        }
    }
}

/// How deeply substitutions are followed.
const DEPTH: usize = 3;

/// Where a script has texts from the network.
struct Sources<'a> {
    script: &'a Script,
    compared: &'a Comparisons,
    encodes: bool,
    /// Variables with the answer of a server.
    variables: BTreeSet<String>,
    /// Functions that print one.
    functions: BTreeSet<String>,
    files: Kept,
}

impl<'a> Sources<'a> {
    fn new(script: &'a Script, compared: &'a Comparisons, encodes: bool) -> Self {
        let mut sources = Self {
            script,
            compared,
            encodes,
            variables: BTreeSet::new(),
            functions: fetch::functions(script),
            files: Kept::default(),
        };
        let values = script.commands.iter().flat_map(|command| &command.words);
        let values = values.filter_map(|word| bash::assignment(&word.text));
        let fetched = values.filter(|(_, value)| sources.inside(value, 0).is_some());
        sources.variables = fetched.map(|(name, _)| name.to_owned()).collect();
        let fed = script.commands.iter().filter(|command| opened::is_fed(command, &sources));
        let names: Vec<String> = fed.flat_map(opened::names).collect();
        sources.variables.extend(names);
        sources
    }

    /// The lines that run such a text, with what to say about each.
    fn run(&mut self, depth: usize) -> Vec<(usize, &'static str)> {
        let mut found = Vec::new();
        for pipeline in pipelines(self.script) {
            let mut sent: Option<Sent> = None;
            for at in pipeline {
                let command = &self.script.commands[at];
                if let Some(sent) = sent.filter(|_| runs_input(command)) {
                    found.push((command.line, sent.message()));
                }
                let unpacks = unpacks_programs(&command.argv());
                if sent == Some(Sent::Fetched) && unpacks {
                    found.push((command.line, UNSEEN));
                }
                let saves = saved(command, self.script, sent == Some(Sent::Fetched));
                self.files.extend(saves, command.line);
                sent = sent.or_else(|| self.sends(command));
            }
        }
        for command in &self.script.commands {
            let sent = code(command).iter().find_map(|text| self.inside(text, depth));
            if let Some(sent) = sent {
                found.push((command.line, sent.message()));
            }
            // A substitution has no pieces of its own here.
            self.files.extend(saved(command, self.script, false), command.line);
            let (script, compared, line) = (self.script, self.compared, command.line);
            if self.files.run_by(command, &Place { script, compared, line }) {
                found.push((command.line, UNSEEN));
            }
        }
        found.extend(opened::run(self).into_iter().map(|line| (line, UNSEEN)));
        found.sort_unstable();
        found
    }

    /// What a command prints, if the script does not contain it.
    fn sends(&self, command: &Command) -> Option<Sent> {
        if decodes(command) {
            return (!self.encodes).then_some(Sent::Decoded);
        }
        let own = command.program().is_some_and(|program| self.functions.contains(program));
        let prints = matches!(command.program(), Some("cat" | "echo" | "printf"))
            && command.words.iter().any(|word| self.is_variable(&word.text));
        (fetches(command) || own || prints).then_some(Sent::Fetched)
    }

    fn is_variable(&self, text: &str) -> bool {
        let name = text.strip_prefix('$').map(|name| name.trim_matches(['{', '}']));
        let name = name.filter(|name| self.variables.contains(*name));
        name.is_some_and(|name| !self.compared.cover_variable(name))
    }

    /// What the substitutions and variables of a text bring into it.
    fn inside(&self, text: &str, depth: usize) -> Option<Sent> {
        if depth >= DEPTH {
            return None;
        }
        if self.is_variable(text.trim()) {
            return Some(Sent::Fetched);
        }
        substitutions(text).iter().find_map(|inner| {
            let script = bash::read(inner);
            script.commands.iter().find_map(|command| self.sends(command))
        })
    }
}

/// The commands of a script that pipes join, by their indexes.
fn pipelines(script: &Script) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    let mut joined = false;
    for piece in &script.pieces {
        match piece {
            Piece::Command(at) => {
                if !joined {
                    all.push(Vec::new());
                }
                all.last_mut().into_iter().for_each(|pipeline| pipeline.push(*at));
                joined = false;
            }
            Piece::Sign(Sign::Pipe) => joined = true,
            // The lines of a pipeline may break after each `|`.
            Piece::Sign(Sign::End) if joined => {}
            _ => joined = false,
        }
    }
    all
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> Vec<String> {
        crate::testing::said(super::examine, text)
    }

    #[test]
    fn what_a_server_sends_does_not_run_unseen() {
        for text in [
            "curl -fsSL https://get.example.org | bash\n",
            "curl -fsSL https://get.example.org |\n  sudo -E bash -s -- --yes\n",
            "wget -qO- https://get.example.org | tee /tmp/a.sh | sh\n",
            "get() { curl -fsS \"$1\"; }\nget https://get.example.org | sh -s -- -y\n",
            "eval \"$(curl -sfL https://get.example.org)\"\n",
            "sh -c \"$(wget -O- https://get.example.org)\" '' --unattended\n",
            "bash <(curl -fsSL https://get.example.org)\n",
            "source <(curl -fsSL https://get.example.org/v1/lib.sh)\n",
            "bash <<<\"$(curl -fsSL https://get.example.org)\"\n",
            "code=$(curl -fsSL https://get.example.org)\nbash -c \"$code\"\n",
            "code=$(curl -fsSL https://get.example.org)\necho \"$code\" | sudo bash\n",
            "curl -fsSL https://get.example.org | ssh web 'sudo bash -s'\n",
            "ssh web 'curl -fsSL https://get.example.org | sudo bash'\n",
            "python3 -c \"import urllib.request; exec(urllib.request.urlopen('https://a.example.org').read())\"\n",
            "python3 <<'E'\ncode = requests.get(url).text\nexec(code)\nE\n",
            "exec 3< <(curl -fsSL https://get.example.org)\nbash /dev/fd/3\n",
            "exec {code}< <(curl -fsSL https://get.example.org)\nbash <&\"$code\"\n",
            "read -r code < <(curl -fsSL https://get.example.org)\neval \"$code\"\n",
            "curl -fsSL https://get.example.org > >(bash)\n",
            "curl -fsSL https://get.example.org | tee >(sh) >/dev/null\n",
            "cat >a.pkr.hcl <<'E'\nprovisioner \"shell\" {\n  inline = [\n    \"apt-get update\",\n    \"curl -fsSL https://get.example.org | sudo bash\",\n  ]\n}\nE\n",
            "node -e \"fetch('https://a.example.org').then(r => r.text()).then(eval)\"\n",
        ] {
            assert_eq!(said(text), [super::UNSEEN], "{text}");
        }
        for text in [
            "exec 3< <(curl -fsSL https://get.example.org)\njq . <&3\nbash check.sh\n",
            "curl -fsS https://api.example.org/v1 | tee >(jq .a >b)\n",
            "curl -fsS https://api.example.org/v1 | python3 -c 'import json, sys; json.load(sys.stdin)'\n",
            "curl -fsS https://api.example.org/v1 | python3 check.py\n",
            "curl -fsS https://api.example.org/v1 | python3 - <<'E'\nprint(1)\nE\n",
            "eval \"$(ssh-agent -s)\"\n",
            "source <(kubectl completion bash)\n",
            "state=$(curl -fsS https://api.example.org/v1)\nbash check.sh \"$state\"\n",
            "curl -fsS https://api.example.org/v1 | ssh web 'cat >/srv/a.json'\n",
            "rows = evaluate(requests.get(url).json())\n",
        ] {
            assert!(said(text).is_empty(), "{text}: {:?}", said(text));
        }
    }

    #[test]
    fn a_download_is_compared_before_it_runs() {
        for text in [
            "curl -fsSLo install.sh https://a.example.org/v1/install.sh\nbash install.sh\n",
            "t=$(mktemp)\ncurl -fsSL -o \"$t\" https://a.example.org\nchmod +x \"$t\"\n",
            "wget https://a.example.org/v1/setup.sh\nsudo sh ./setup.sh --yes\n",
            "curl -fsSL https://a.example.org/v1/tool | sudo tee /usr/local/bin/tool >/dev/null\nsudo chmod 0755 /usr/local/bin/tool\n",
            "curl -LO https://a.example.org/v1/tool\nsudo install -m 0755 tool /usr/local/bin/tool\n",
            "curl -Lo /tmp/tool https://a.example.org/v1\nmv /tmp/tool bin/tool\nchmod a+x bin/tool\n",
            "wget -q https://a.example.org/v1/agent.deb\nsudo dpkg -i agent.deb\n",
            "curl -fsSL https://a.example.org/v1/a.tar.gz | sudo tar -xz -C /usr/local/bin a\n",
            "curl -fsSLO https://a.example.org/v1/a.tgz\ntar -xzf a.tgz\nsudo mv a/a /usr/local/bin/a\n",
            "cat >a.yml <<'E'\n- hosts: all\n  tasks:\n    - ansible.builtin.get_url:\n        url: https://a.example.org/v1/tool\n        dest: /usr/local/bin/tool\n        mode: \"0755\"\nE\n",
            // Another file is compared.
            "curl -fLo a https://a.example.org/a\necho \"$sum  b\" | sha256sum -c -\nchmod +x a\n",
            "sha256sum -c sums.txt\ncurl -fLo a https://a.example.org/a\nchmod +x a\n",
            "curl -fLo a https://a.example.org/a\nchmod +x a\nsha256sum -c sums.txt\n",
            // Nothing depends on the digest.
            "curl -fLo a https://a.example.org/a\nsha256sum a\nchmod +x a\n",
            "curl -fLo a https://a.example.org/a\nsum=$(sha256sum a)\necho \"$sum\"\nchmod +x a\n",
            "curl -fLo a https://a.example.org/a\nsha256sum -c sums || echo differs\nchmod +x a\n",
            "echo checksum follows\ncurl -fLo a https://a.example.org/a\nchmod +x a\n",
            "cat >Dockerfile <<'E'\nFROM a:1.0.0\nADD https://a.example.org/tini /usr/bin/tini\nRUN chmod +x /usr/bin/tini\nE\n",
        ] {
            assert_eq!(said(text), [super::UNSEEN], "{text}");
        }
        for text in [
            "curl -fsSLo install.sh https://a.example.org/v1/install.sh\necho \"$sum  install.sh\" | sha256sum -c -\nbash install.sh\n",
            "curl -fLo a https://a.example.org/a\n[ \"$(sha256sum a | cut -d' ' -f1)\" = \"$sum\" ] || exit 1\nchmod +x a\n",
            "curl -fLo a https://a.example.org/a\nsum=$(sha256sum a)\nif [[ $sum != b* ]]; then exit 1; fi\nchmod +x a\n",
            "curl -fLo a https://a.example.org/a\ngrep ' a$' sums |\n  sha256sum -c - || { echo differs; exit 1; }\nchmod +x a\n",
            "curl -fLo a https://a.example.org/a\ngpg --verify a.asc a\nchmod +x a\n",
            "curl -fLo a.new https://a.example.org/a\nsha256sum -c a.sha256\nmv a.new a\nchmod +x a\n",
            "check() { echo \"$2  $1\" | sha256sum -c -; }\ncurl -fLo a https://a.example.org/a\ncheck a \"$sum\"\nchmod +x a\n",
            "curl -fLo a https://a.example.org/a\npython3 - <<'E'\nimport hashlib\nE\nchmod +x a\n",
            "cat >Dockerfile <<'E'\nFROM a:1.0.0\nADD --checksum=sha256:b https://a.example.org/tini /usr/bin/tini\nRUN chmod +x /usr/bin/tini\nE\n",
            "cat >Dockerfile <<'E'\nFROM a:1.0.0\nADD https://a.example.org/words.txt /srv/words.txt\nE\n",
            "curl -fsSLo data.json https://a.example.org/v1/data.json\njq . data.json\n",
            "curl -fsSL -o key.asc https://a.example.org/v1/key.asc\nsudo install -m 0644 key.asc /etc/apt/keyrings/a.asc\n",
            "curl -fsSLO https://a.example.org/v1/a.tgz\ntar -xzf a.tgz -C data\n",
            "wget -O page.html https://a.example.org/\nbash check.sh page.html\n",
            "cat >a.yml <<'E'\n- hosts: all\n  tasks:\n    - ansible.builtin.get_url:\n        url: https://a.example.org/v1/tool\n        dest: /usr/local/bin/tool\n        mode: \"0755\"\n        checksum: sha256:abc\nE\n",
        ] {
            assert!(said(text).is_empty(), "{text}: {:?}", said(text));
        }
    }

    #[test]
    fn what_runs_can_be_read() {
        for text in [
            "echo IyEvYmluL3NoCg== | base64 -d | sudo bash\n",
            "eval \"$(base64 --decode <<<\"$setup\")\"\n",
            "bash <(printf %s \"$hex\" | xxd -r -p)\n",
        ] {
            assert_eq!(said(text), [super::UNREAD], "{text}");
        }
        for text in [
            "kubectl get secret a -o jsonpath='{.data.b}' | base64 -d >b\n",
            // The text stands in the script itself.
            "b=$(base64 -w0 setup.sh)\nssh web \"echo $b | base64 -d | sudo bash\"\n",
        ] {
            assert!(said(text).is_empty(), "{text}: {:?}", said(text));
        }
    }
}
