import fc from "fast-check";
import { expect, test } from "vitest";
import { commandLines, isInWorkspace, readScript } from "./script";
import { byFile, touchesOf } from "./touches";

const SCRIPT = `# Writes the service
NAME=hello-service
mkdir -p "$NAME" ansible && cd "$NAME"
cat >"control.sh" <<'END'
#!/bin/sh
echo "<<NOT"
END
cat <<EOF > ../x
a
EOF
cd ~/workspace
cat >> ansible/hosts <<-"HOSTS"
\tdb1 ansible_host=203.0.113.24
\tHOSTS
sudo tee -a /etc/motd <<EOF >/dev/null
hi $USER
EOF
ssh -F ssh/config deploy@db1.example.com 'bash -s' <<'REMOTE'
systemctl restart redis
REMOTE
grep -q x <<<"$page"
curl -fsS https://app.example.com/healthz, | jq .
if ! terraform -chdir=terraform plan; then exit 1; fi
for host in a b; do ping -c 1 "$(hostname -I)"; done
timeout 30 bash -c 'true'
DB=$REDIS_PASSWORD redis-cli ping
`;

test("heredocs are the files that they write, from the workspace on", () => {
  const { heredocs } = readScript(SCRIPT);
  expect(heredocs.map(({ file, appends, expands }) => [file, appends, expands])).toEqual([
    ["hello-service/control.sh", false, false],
    ["hello-service/../x", false, true],
    ["ansible/hosts", true, false],
    ["/etc/motd", true, true],
    [undefined, false, false],
  ]);
  expect(heredocs[0]?.text).toBe('#!/bin/sh\necho "<<NOT"\n');
  expect(heredocs[2]?.text).toBe("db1 ansible_host=203.0.113.24\n");
});

test("only files in the workspace can be compared with their present content", () => {
  expect(["a/b.yml", "x"].every(isInWorkspace)).toBe(true);
  expect(["/etc/motd", "~/.bashrc", "$DIR/x", "a/../../x", "…/x"].some(isInWorkspace)).toBe(false);
});

test("the summary of a script names files, programs, addresses and credentials", () => {
  const touches = touchesOf(readScript(SCRIPT), ["REDIS_PASSWORD", "AWS_SECRET_ACCESS_KEY"]);
  expect(touches.files).toContainEqual({ path: "hello-service/control.sh", lines: 2, appends: false });
  expect(touches.programs).toEqual(
    expect.arrayContaining([
      "mkdir",
      "cat",
      "sudo",
      "tee",
      "ssh",
      "curl",
      "jq",
      "terraform",
      "ping",
      "redis-cli",
    ]),
  );
  expect(touches.programs).toEqual(expect.arrayContaining(["timeout", "bash", "hostname", "grep"]));
  expect(touches.programs).toContain("systemctl");
  expect(touches.programs).not.toEqual(expect.arrayContaining(["host"]));
  expect(touches.addresses).toEqual(
    expect.arrayContaining(["203.0.113.24", "deploy@db1.example.com", "https://app.example.com/healthz"]),
  );
  expect(touches.named).toEqual(["REDIS_PASSWORD"]);
});

test("the summary names files that plain commands write, move and remove, also on another machine", () => {
  const effects = (text: string) =>
    touchesOf(readScript(text), []).affected.map(({ path, what, elsewhere }) =>
      [what, path, ...(elsewhere ? ["elsewhere"] : [])].join(" "),
    );
  expect(effects('DIR=site\ncd app && rm -rf "$DIR" ../old; rmdir x 2>/dev/null\n')).toEqual([
    "removed …/site",
    "removed …/../old",
    "removed …/x",
  ]);
  expect(effects("cd app\nrm -f a 2>&1 >log; echo 1 >>b\nmv a b\n")).toEqual([
    "written app/log",
    "removed app/a",
    "added to app/b",
    "moved app/a",
    "moved app/b",
  ]);
  expect(effects("printf 'a > b' | sudo tee -a /etc/hosts >/dev/null\nsed -i 's/a/b/' c.ini\n")).toEqual([
    "added to /etc/hosts",
    "changed c.ini",
  ]);
  expect(effects("if ! rm -- a; then curl -fsS -o b https://x.example; fi\n# rm c\n")).toEqual([
    "removed a",
    "written b",
  ]);
  const remote = "ssh -F ssh/config db 'sudo bash -s' <<'END'\ncat >/etc/a <<A\n1\nA\nrm /etc/b\nEND\n";
  expect(effects(remote)).toEqual(["written /etc/a elsewhere", "removed /etc/b elsewhere"]);
  expect(touchesOf(readScript(remote), []).programs).toEqual(["ssh", "cat", "rm"]);
  expect(effects("cat >a <<EOF\nrm b\nEOF\n")).toEqual([]);
});

test("a file that is removed and written is listed once", () => {
  const { affected } = touchesOf(readScript('if $open; then rm -f a; else curl -o a "$URL"; fi\nrm b\n'), []);
  expect(byFile(affected)).toEqual([
    { path: "a", effects: ["removed", "written"], elsewhere: false },
    { path: "b", effects: ["removed"], elsewhere: false },
  ]);
});

test("a heredoc without an end mark hides nothing", () => {
  const script = readScript("cat > f <<EOF\nrm -rf /\n");
  expect(script.heredocs).toEqual([]);
  expect(commandLines(script)).toEqual([0, 1]);
  expect(readScript("echo $((1<<2)) # <<EOF\nEOF\n").heredocs).toEqual([]);
});

test("the texts of two heredocs on one line follow each other", () => {
  const { heredocs } = readScript("paste <(cat <<A) <(cat <<B)\n1\nA\n2\nB\ntrue\n");
  expect(heredocs.map(({ text }) => text)).toEqual(["1\n", "2\n"]);
});

const line = fc.oneof(
  fc.constantFrom(
    "cat > f <<EOF",
    "EOF",
    "A",
    "tee g <<'A'",
    "cd x",
    "X=1",
    "cat <<-A >h",
    "",
    "\tA",
    "rm -rf /",
  ),
  fc.string(),
);

test("every line of a script is shown once: as a command or in the file that it goes to", () => {
  fc.assert(
    fc.property(fc.array(line.map((text) => text.replaceAll("\n", " "))), (lines) => {
      const script = readScript(`${lines.join("\n")}\n`);
      const shown = commandLines(script);
      for (const { file, start, end } of script.heredocs) {
        if (file === undefined) continue;
        for (let at = start; at <= end; at += 1) shown.push(at);
      }
      expect(shown.sort((a, b) => a - b)).toEqual(script.lines.map((_, at) => at));
    }),
  );
});
