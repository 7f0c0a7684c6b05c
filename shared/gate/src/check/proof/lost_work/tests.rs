use crate::testing::said;

fn lost(text: &str) -> bool {
    !said(super::super::examine, text).is_empty()
}

const PLAY: &str = "ansible-playbook -i hosts.yml site.yml";

fn filled(text: &str) -> String {
    text.replace("PLAY", PLAY)
}

#[test]
fn a_script_that_succeeds_although_its_work_failed_is_refused() {
    let scripts = [
        // The status is kept, and nothing but a message depends on it.
        "PLAY || rc=$?\necho \"ended with ${rc:-0}\"\nprintf 'done\\n' >app/state",
        "rc=0\nPLAY || rc=$?\necho \"ended with $rc\"\ntouch app/done",
        "PLAY || { echo failed; logger failed; }\ntouch app/done",
        "PLAY || { echo failed >&2; exit 0; }\ntouch app/done",
        "note() { echo \"$1\"; }\nPLAY || note failed\ntouch app/done",
        "PLAY && echo ok\ntouch app/done",
        "PLAY && touch app/done\necho finished",
        "! PLAY\ntouch app/done",
        // Conditions that only tell
        "if PLAY; then echo ok; else echo 'failed, see above'; fi\ntouch app/done",
        "if ! PLAY; then echo failed; fi\ntouch app/done",
        "if PLAY; then touch app/done; fi",
        "if PLAY; then result=ok; else result=failed; fi\necho $result",
        // Loops that give up silently
        "for n in 1 2 3; do\n  if PLAY; then break; fi\n  sleep 1\ndone\ndate -Is >app/done",
        "for n in 1 2 3; do PLAY && break; sleep 5; done\ntouch app/done",
        "for n in 1 2 3; do PLAY && break || sleep 5; done\ntouch app/done",
        "n=0\nuntil PLAY; do n=$((n+1)); if [ $n -gt 3 ]; then break; fi; done\ntouch app/done",
        // `set -e` is off.
        "set +e\nPLAY\nset -e\ntouch app/done",
        "set +o errexit\nPLAY\ntouch app/done",
        "set +eu\nterraform apply -auto-approve\necho $?\nset -eu\ntouch app/done",
        "set +e\nPLAY\nrc=$?\nset -e\necho \"$rc\"\ntouch app/done",
        // Traps, and the end before the work
        "trap 'exit 0' EXIT\nPLAY",
        "trap 'echo oops; exit 0' ERR\nPLAY",
        "touch app/done\nexit 0\nPLAY",
        // Other shells
        "bash -c 'PLAY; echo ok'\ntouch app/done",
        "bash -s <<'EOF'\nPLAY\necho ok\nEOF\ntouch app/done",
        "ssh web 'sudo systemctl restart nginx; echo done'\ntouch app/done",
        "ssh web <<'EOF'\nsudo systemctl restart nginx\necho done\nEOF\ntouch app/done",
        "cat >app/x.sh <<'EOF'\n#!/bin/sh\nPLAY\necho ok\nEOF\nsh app/x.sh\ntouch app/done",
        "cat >app/y.sh <<'EOF'\n#!/usr/bin/env bash\nPLAY\necho ok\nEOF\nchmod +x app/y.sh\n./app/y.sh",
        "echo site | xargs -I{} sh -c 'PLAY; true'\ntouch app/done",
        "docker exec web sh -c 'nginx -t; echo ok'\ntouch app/done",
        // Functions and subshells in conditions
        "deploy() { PLAY; echo deployed; }\nif deploy; then touch app/done; fi",
        "deploy() { PLAY; echo deployed; }\ndeploy && touch app/done",
        "deploy() { PLAY; echo deployed; }\ndeploy || exit 1\ntouch app/done",
        "deploy() {\n  set -e\n  PLAY\n  echo deployed\n}\nif ! deploy; then exit 1; fi",
        "( cd app; PLAY; echo deployed ) || { echo bad; exit 1; }\ntouch app/done",
        // Substitutions
        "declare -r out=\"$(PLAY)\"\necho \"$out\"\ntouch app/done",
        "echo \"Result: $(PLAY)\"\ntouch app/done",
        "while read -r l; do echo \"$l\"; done < <(PLAY)\ntouch app/done",
        // The shell forgets it, or another program does.
        "setsid -f PLAY >app/log 2>&1\ntouch app/done",
        "PLAY >app/log 2>&1 & disown\ntouch app/done",
        "find app -maxdepth 0 -exec PLAY \\;\ntouch app/done",
        "make -k -i -C app all\ntouch app/done",
        "python3 - <<'EOF'\nimport subprocess\nsubprocess.run([\"ansible-playbook\", \"site.yml\"])\nEOF\ntouch app/done",
        "python3 -c 'import os; os.system(\"terraform apply -auto-approve\")'\ntouch app/done",
    ];
    let missed: Vec<&str> = scripts.into_iter().filter(|script| !lost(&filled(script))).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_script_that_ends_with_the_failure_of_its_work_or_may_notice_it_is_not_refused() {
    let scripts = [
        "PLAY",
        "PLAY\ntouch app/done",
        "PLAY || exit 1\ntouch app/done",
        "PLAY || { echo failed >&2; exit 1; }\ntouch app/done",
        "die() { echo \"$1\" >&2; exit 1; }\nPLAY || die failed\ntouch app/done",
        "PLAY || { journalctl -u nginx; systemctl restart nginx; }",
        "rc=0\nPLAY || rc=$?\nif [ \"$rc\" -ne 0 ]; then exit \"$rc\"; fi\ntouch app/done",
        "rc=0\nPLAY || rc=$?\n((rc == 0))\ntouch app/done",
        "code=0\nterraform plan -detailed-exitcode || code=$?\ncase $code in 0|2) ;; *) exit $code;; esac",
        "PLAY && echo ok",
        "apt-get update && apt-get install -y nginx\nsystemctl enable --now nginx",
        "nginx -t && systemctl reload nginx\necho done",
        "if PLAY; then echo ok; else exit 1; fi\ntouch app/done",
        "if ! PLAY; then echo failed; exit 1; fi\ntouch app/done",
        "if ! nginx -t; then cp old.conf nginx.conf; exit 1; fi",
        "if nginx -t; then systemctl reload nginx; fi",
        "if ! systemctl reload nginx; then systemctl restart nginx; fi\ntouch app/done",
        "ok=\nif PLAY; then ok=1; fi\n[ -n \"$ok\" ]\ntouch app/done",
        "for n in 1 2 3; do\n  if PLAY; then break; fi\n  [ \"$n\" -lt 3 ] || exit 1\ndone\ntouch app/done",
        "for n in 1 2 3; do PLAY && break; sleep 5; done\nPLAY\ntouch app/done",
        "for n in 1 2 3; do apt-get update && break; sleep 5; done\napt-get install -y nginx",
        "for n in 1 2 3; do PLAY && exit 0; sleep 5; done\nexit 1",
        "until PLAY; do sleep 5; done\ntouch app/done",
        "for host in a b; do ansible-playbook -l \"$host\" site.yml; done\ntouch app/done",
        "set +e\nPLAY\ncode=$?\nset -e\n[ \"$code\" -eq 0 ]\ntouch app/done",
        "set +e\nPLAY\nif [ $? -ne 0 ]; then exit 1; fi\ntouch app/done",
        "set +e\nshopt -s nullglob\nset -e\nPLAY\ntouch app/done",
        "trap 'rm -rf \"$tmp\"' EXIT\nPLAY\ntouch app/done",
        "if [ -f app/done ]; then exit 0; fi\nPLAY\ntouch app/done",
        "bash -euc 'PLAY; echo ok'\ntouch app/done",
        "bash -c 'PLAY && echo ok'\ntouch app/done",
        "ssh web 'bash -euo pipefail -s' <<'EOF'\nsudo systemctl restart nginx\necho done\nEOF",
        "ssh web <<'EOF'\nset -eu\nsudo systemctl restart nginx\necho done\nEOF",
        "ssh web 'sudo systemctl restart nginx'\ntouch app/done",
        "cat >app/x.sh <<'EOF'\n#!/bin/sh\nset -e\nPLAY\necho ok\nEOF\nsh app/x.sh\ntouch app/done",
        "deploy() { PLAY; echo deployed; }\ndeploy\ntouch app/done",
        "deploy() { PLAY || return 1; echo deployed; }\nif deploy; then touch app/done; else exit 1; fi",
        "try() { systemctl start web; if ! curl -fsS localhost; then return 1; fi; }\ntry || exit 1",
        "( cd app && PLAY )\ntouch app/done",
        "out=$(PLAY)\necho \"$out\"\ntouch app/done",
        "PLAY &\npid=$!\nwait \"$pid\"\ntouch app/done",
        "find app -name '*.yml' -exec ansible-playbook {} +\ntouch app/done",
        "make -C app install\ntouch app/done",
        "python3 - <<'EOF'\nimport subprocess\nsubprocess.run([\"ansible-playbook\", \"site.yml\"], check=True)\nEOF",
    ];
    for script in scripts {
        let found = said(super::super::examine, &filled(script));
        assert!(found.is_empty(), "{script}: {found:?}");
    }
}
