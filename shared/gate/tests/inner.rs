//! Tests that the scripts within a script are found where a shell parses them, and nowhere else.

use gate::inner_shells;

fn texts(script: &str) -> Vec<(usize, String)> {
    let inner = inner_shells(script).into_iter();
    inner.map(|inner| (inner.offset, inner.text.trim().to_owned())).collect()
}

#[test]
fn what_a_shell_parses_is_found_with_its_line() {
    for (script, offset, text) in [
        ("true\nbash -c 'a; b'", 1, "a; b"),
        ("ssh host 'a && b'", 0, "a && b"),
        ("ssh host <<'E'\na\nE", 1, "a"),
        ("ssh host sudo bash -euo pipefail -s -- x <<'E'\na\nE", 1, "a"),
        ("sudo -u app bash <<'E'\na\nE", 1, "a"),
        ("cat >a.sh <<'E'\na\nE", 0, "a"),
        ("cat >run <<'E'\n#!/bin/sh\na\nE", 0, "#!/bin/sh\na"),
        ("cat >Dockerfile <<'E'\nFROM a:1\nRUN --mount=type=cache,target=/a b\nE", 1, "b"),
        ("cat >a.service <<'E'\n[Service]\nExecStart=/bin/sh -c 'a; b'\nE", 1, "a; b"),
        ("cat >.github/workflows/a.yml <<'E'\nsteps:\n  - run: a ${{ b }}\nE", 1, "a x"),
        ("cat >a.yaml <<'E'\ncommand: [sh, -ec]\nargs:\n  - a; b\nE", 2, "a; b"),
        ("cat >a.yaml <<'E'\n#cloud-config\nruncmd:\n  - a; b\nE", 2, "a; b"),
        ("cat >p.yml <<'E'\n- hosts: all\n  tasks:\n    - shell: a {{ b }}\nE", 2, "a x"),
    ] {
        let found = texts(script);
        assert!(found.contains(&(offset, text.to_owned())), "{script}: {found:?}");
    }
}

#[test]
fn what_other_programs_read_is_not_a_script() {
    for script in [
        "ssh host 'sudo tee /etc/a' <<'E'\na (b\nE",
        "ssh host psql <<'E'\nSELECT (\nE",
        "bash run.sh <<'E'\na (b\nE",
        "cat >a.py <<'E'\na (b\nE",
        "cat >a.zsh <<'E'\n#!/bin/zsh\na (b\nE",
        "cat >p.yml <<'E'\n- hosts: all\n  tasks:\n    - command: psql -c SELECT(b\nE",
        "cat >Dockerfile <<'E'\nFROM a:1\nRUN <<X\na (b\nX\nE",
    ] {
        let found = texts(script);
        assert!(!found.iter().any(|(_, text)| text.contains('(')), "{script}: {found:?}");
    }
}
