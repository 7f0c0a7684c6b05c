//! A sandbox's answers to questions: its tools' findings in a script, and looks.
use crate::support::{Gateway, sandbox};
use protocol::{
    Answer, Bench, BenchFile, BenchTool, Checked, Finding, PROOF_LINE, Question, Reach, Severity,
};

async fn ask(gateway: &mut Gateway, request_id: &str, question: Question) -> Answer {
    gateway.ask(request_id, question, "canary-of-a-password").await
}

async fn check(gateway: &mut Gateway, request_id: &str, bench: Bench) -> Checked {
    match ask(gateway, request_id, Question::Check(bench)).await {
        Answer::Checked(checked) => checked,
        other => panic!("{other:?}"),
    }
}

async fn look(gateway: &mut Gateway, request_id: &str, command: &str) -> (String, bool) {
    let question = Question::Look { command: command.to_owned(), reach: Reach::default() };
    match ask(gateway, request_id, question).await {
        Answer::Printed { text, cut, .. } => (text, cut),
        other => panic!("{other:?}"),
    }
}

fn file(path: &str, text: &str) -> BenchFile {
    BenchFile { path: path.to_owned(), text: text.to_owned() }
}

fn tool(name: &str, places: &[&str]) -> BenchTool {
    let places = places.iter().map(|place| (*place).to_owned()).collect();
    BenchTool { name: name.to_owned(), places }
}

fn of<'a>(checked: &'a Checked, tool: &str) -> Vec<&'a Finding> {
    checked.findings.iter().filter(|found| found.tool == tool).collect()
}

fn version_of<'a>(checked: &'a Checked, tool: &str) -> &'a str {
    let named = |name: &'a String| name.strip_prefix(tool)?.strip_prefix(' ');
    checked.checked.iter().find_map(named).unwrap_or_else(|| panic!("{tool}: {checked:?}"))
}

#[tokio::test]
async fn a_script_and_its_files_are_checked_in_place_and_leave_no_trace() {
    let (mut gateway, agent) = sandbox().await;
    let before = "printf 'variable \"region\" {\\n  type = string\\n}\\n' > terraform/variables.tf; echo old > deploy.sh";
    assert_eq!(gateway.run("r1", before).await.exit_code, Some(0));
    let script = format!(
        "cat >deploy.sh <<'E'\nE\nfor f in $(ls *.txt); do echo \"$f\"; done\n{PROOF_LINE}\ntrue\n"
    );
    let bench = Bench {
        script,
        files: vec![
            file("deploy.sh", "#!/bin/bash\nif true; then\n  echo a\n"),
            file(
                "terraform/main.tf",
                "output \"a\" {\n  value = \"${var.region} ${var.size}\"\n}\n",
            ),
            file("terraform/wide.tf", "output \"b\" {\n      value = 1\n}\n"),
        ],
        tools: vec![
            tool("bash -n", &["deploy.sh"]),
            tool("shellcheck", &["deploy.sh"]),
            tool("terraform fmt", &["terraform/main.tf", "terraform/wide.tf"]),
            tool("terraform validate", &["terraform"]),
            tool("ansible-lint", &["site.yml"]),
            tool("a tool of next year", &[]),
        ],
    };
    let checked = check(&mut gateway, "q1", bench).await;

    let [found] = of(&checked, "bash -n").try_into().unwrap();
    assert_eq!((found.file.as_deref(), found.severity), (Some("deploy.sh"), Severity::Error));
    assert!(found.message.contains("syntax error"), "{found:?}");
    let in_script: Vec<_> =
        of(&checked, "shellcheck").into_iter().filter(|found| found.file.is_none()).collect();
    assert!(
        in_script.iter().any(|found| found.line == Some(3) && found.message.contains("SC2045")),
        "{checked:?}"
    );
    let [found] = of(&checked, "terraform validate").try_into().unwrap();
    assert_eq!((found.file.as_deref(), found.line), (Some("terraform/main.tf"), Some(2)));
    assert!(
        found.message.contains("\"size\" has not been declared"),
        "`region` is there: {found:?}"
    );
    let [found] = of(&checked, "terraform fmt").try_into().unwrap();
    assert_eq!(
        (found.file.as_deref(), found.severity),
        (Some("terraform/wide.tf"), Severity::Warning)
    );

    for tool in ["bash -n", "shellcheck", "terraform fmt", "terraform validate"] {
        assert!(version_of(&checked, tool).contains('.'), "{checked:?}");
    }
    let left: Vec<_> = checked.not_checked.iter().map(|left| left.tool.as_str()).collect();
    assert!(left.contains(&"a tool of next year"), "{left:?}");
    let lint = checked.not_checked.iter().find(|left| left.tool == "ansible-lint");
    let installed = std::path::Path::new("/usr/bin/ansible-lint").exists();
    let reason = lint.map(|left| left.reason.as_str());
    assert_eq!(reason.filter(|_| !installed), Some("It is not installed in the sandbox."));

    assert_eq!(std::fs::read_to_string(agent.workspace().join("deploy.sh")).unwrap(), "old\n");
    assert!(!agent.workspace().join("terraform/main.tf").exists());
    let left = gateway.run("r2", "ls -d /tmp/answer-* 2>/dev/null; pgrep -f terraform; true").await;
    assert_eq!(left.head, "");
}

#[tokio::test]
async fn findings_show_no_credential_and_no_file_of_secrets() {
    let (mut gateway, _agent) = sandbox().await;
    let before = "echo 'a = \"canary-of-tfvars\"' > terraform/prod.tfvars";
    assert_eq!(gateway.run("r1", before).await.exit_code, Some(0));
    let reads = "output \"a\" {\n  value = file(\"prod.tfvars\") + @canary-of-a-password\n}\n";
    let bench = Bench {
        script: "true".to_owned(),
        files: vec![file("terraform/main.tf", reads)],
        tools: vec![
            tool("terraform fmt", &["terraform/main.tf"]),
            tool("terraform validate", &["terraform"]),
        ],
    };
    let checked = check(&mut gateway, "q1", bench).await;
    let said = format!("{checked:?}");
    assert!(!of(&checked, "terraform fmt").is_empty(), "{said}");
    let [left] = checked.not_checked.as_slice() else { panic!("{said}") };
    assert_eq!(left.tool, "terraform validate", "a provider would see the credential");
    assert!(!said.contains("canary-of"), "{said}");
    assert!(said.contains("***"), "{said}");
}

/// Evaluated configuration could print what it reads in any spelling, so tools that evaluate see no secret.
#[tokio::test]
async fn a_configuration_cannot_spell_a_credential_into_a_finding() {
    let (mut gateway, _agent) = sandbox().await;
    let spells = |name: &str| Bench {
        script: "true".to_owned(),
        files: vec![file(
            "terraform/main.tf",
            &format!("output \"a\" {{\n  value = file(strrev(chomp(file(\"{name}\"))))\n}}\n"),
        )],
        tools: vec![tool("terraform validate", &["terraform"])],
    };
    let open = "echo plain-words > terraform/open.txt";
    assert_eq!(gateway.run("r1", open).await.exit_code, Some(0));
    let said = format!("{:?}", check(&mut gateway, "q1", spells("open.txt")).await);
    assert!(said.contains("sdrow-nialp"), "it is evaluated: {said}");

    let secret = "echo canary-of-a-password > terraform/notes.txt";
    assert_eq!(gateway.run("r2", secret).await.exit_code, Some(0));
    let checked = check(&mut gateway, "q2", spells("notes.txt")).await;
    let said = format!("{checked:?}");
    assert!(!said.contains("drowssap") && checked.findings.is_empty(), "{said}");
    let [left] = checked.not_checked.as_slice() else { panic!("{said}") };
    assert!(left.reason.contains("reads a file that the check cannot see"), "{said}");
}

#[tokio::test]
async fn a_look_reads_a_bounded_text_and_changes_nothing() {
    let (mut gateway, agent) = sandbox().await;
    let before = "echo 'user canary-of-a-password' > notes.txt; seq 1 9000 > long.txt";
    assert_eq!(gateway.run("r1", before).await.exit_code, Some(0));
    let said = look(&mut gateway, "q1", "cat notes.txt; cat nothing; echo x > notes.txt").await;
    assert!(said.0.starts_with("user ***\ncat: nothing: No such file"), "{said:?}");
    assert!(!said.1 && said.0.contains("Permission denied"), "{said:?}");
    let (text, cut) = look(&mut gateway, "q2", "cat long.txt").await;
    assert!(cut && text.len() <= protocol::LOOK_BYTES && text.starts_with("1\n2\n"));
    let command = "cut -c1-15 notes.txt; head -n 1 long.txt | cut -c1-2".to_owned();
    let parts = Question::Look { command, reach: Reach { parts: true, ..Reach::default() } };
    let Answer::Printed { text, .. } = ask(&mut gateway, "q3", parts).await else { panic!() };
    assert_eq!(text, "cut: notes.txt: Permission denied\n1\n", "no mask covers a part");
    let kept = std::fs::read_to_string(agent.workspace().join("notes.txt")).unwrap();
    assert_eq!(kept, "user canary-of-a-password\n");
}
