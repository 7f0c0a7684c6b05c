//! What packages ship and well-known repositories hold: their programs read it, so the gate must not refuse it.

use super::messages;

#[test]
fn what_programs_read_in_practice_is_not_refused() {
    let mut wrong = Vec::new();
    for (part, script) in [
        ("operand", "case \"$1\" in\n  install|upgrade) echo a ;;\nesac\nchmod -x /etc/init.d/a\n"),
        ("defined nowhere", "log() { :; }\nstop_shop () {\n  echo a\n}\nstop_shop\n"),
        (
            "operand",
            "cat >site.yml <<'END'\n- name: A\n  hosts: all\n  tasks:\n    - name: B\n      ansible.builtin.command: \"kubectl apply -f {{ manifest }}\"\n      changed_when: true\nEND\n",
        ),
        ("destroys", "[ -x \"$(command -v deluser)\" ] && echo a\n"),
        (
            "left out",
            "cat >a.conf <<'END'\n# The sections below hold the connections of this host, the values of all their\n# settings, and so on, but it is best to add your IPsec connections as separate files,\n# etc.\n# ...\n# and the rest.\na = b\nEND\n",
        ),
        ("stands for a value", "cat >a.ini <<'END'\n;prefix = /path/to/pools\na = b\nEND\n"),
        (
            "are read in",
            "cat >/etc/mosquitto/conf.d/README <<'END'\nFiles that end in .conf are read.\nEND\ncat >/etc/amavis/conf.d/50-user <<'END'\nuse strict;\nEND\n",
        ),
        (
            "condition in braces",
            "cat >/etc/varnish/default.vcl <<'END'\nbackend default {\n    .host = \"127.0.0.1\";\n}\nsub vcl_recv {\n}\nEND\n",
        ),
        (
            "No `acl`",
            "cat >haproxy.cfg <<'END'\ndefaults\n  mode http\nfrontend a\n# refuse to start if any warning is emitted\n  default_backend b\nbackend b\n  server c 10.0.0.1:80\nEND\n",
        ),
        (
            "systemd needs",
            "cat >templates/a.service.j2 <<'END'\n[Service]\nExecStart=/usr/bin/a \\\n{% if b is iterable and\n      b is not string %}\n    --flag \\\n{% endif %}\n    # why\n    --c.d=e\nEND\n",
        ),
        (
            "not a setting that",
            "cat >templates/a.service.j2 <<'END'\n[Service]\nExecStart=/usr/bin/a \\\n{% if b %}\n    --flag \\\n{% endif %}\n    --c.d=e\nEND\n",
        ),
        (
            "needs a section",
            "cat >/usr/share/dbus-1/system-services/org.a.service <<'END'\n[D-BUS Service]\nName=org.a\nExec=/usr/bin/a\nEND\n",
        ),
        (
            "StandardOutput",
            "cat >/etc/systemd/system/a.service <<'END'\n[Service]\nExecStart=/usr/bin/a\nStandardOutput=syslog\nEND\n",
        ),
        (
            "wsrep",
            "cat >/etc/mysql/conf.d/wsrep.cnf <<'END'\n[mysqld]\nwsrep_certify_nonPK=1\nEND\n",
        ),
        (
            "no `!`",
            "cat >site.yml <<'END'\n- name: A\n  hosts: all\n  tasks:\n    - name: B\n      ansible.builtin.command: a\n      changed_when: true\n      when: (ansible_facts.distribution != \"Debian\")\nEND\n",
        ),
        (
            "defined nowhere",
            "cat >templates/a.j2 <<'END'\n{%   for k,v in groups|dictsort %}{{ k }}{{ v }}{% endfor %}\n{% for (name, one) in hostvars.items() %}{{ name }}{{ one }}{% endfor %}\nEND\n",
        ),
        (
            "No `log_format`",
            "cat >templates/nginx.conf.j2 <<'END'\nhttp {\n  log_format main \"a\";\n  server {\n    listen 80;\n    access_log {{ a }};\n  }\n}\nEND\n",
        ),
        (
            "No service is named",
            "cat >compose.yaml <<'END'\nservices:\n  web:\n    image: a:1.2\n    environment:\n      ASPNETCORE_URLS: http://+:8000\nEND\n",
        ),
        (
            "asks for confirmation",
            "cat >Dockerfile <<'END'\nFROM alpine:3.20.3\nRUN adduser -D app\nEND\n",
        ),
        (
            "not valid JSON",
            "cat >tsconfig.json <<'END'\n/* See the manual. */\n{\"compilerOptions\": {}}\nEND\n",
        ),
        (
            "not closed",
            "cat >src/App.js <<'END'\nfunction App() {\n  return (\n    <p>Save, and it's <code>done</code>.</p>\n  );\n}\nEND\n",
        ),
        (
            "hostIP",
            "cat >k8s/a.yaml <<'END'\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  hostIPC: true\n  containers:\n    - name: a\n      image: a:1.2\nEND\n",
        ),
        (
            "argument",
            "cat >site.yml <<'END'\n- name: A\n  hosts: all\n  tasks:\n    - name: B\n      ansible.builtin.package:\n        name: a=1.2\n        allow_downgrade: true\n    - name: C\n      ansible.builtin.service:\n        daemon_reload: true\nEND\n",
        ),
        (
            "guessed",
            "cat >templates/sshd_config.j2 <<'END'\nPasswordAuthentication {{ 'yes' if passwords else 'no' }}\nEND\n",
        ),
        (
            "is not a network",
            "cat >a.conf <<'END'\nskip_addresses = 127.0.0.0/8,::ffff:127.0.0.0/104\nEND\n",
        ),
        (
            "does not take",
            "cat >/etc/samba/smb.conf <<'END'\n[global]\n  map to guest = bad user\nEND\n",
        ),
        ("no tag", "cat >/etc/sudoers.d/a <<'END'\nbob SPARC = (OP) ALL : SGI = (OP) ALL\nEND\n"),
        (
            "AllowOver",
            "cat >/etc/proftpd/conf.d/a.conf <<'END'\n<VirtualHost a.example.org>\n  AllowOverwrite yes\n</VirtualHost>\nEND\n",
        ),
        (
            "needs a section",
            "cat >/etc/systemd/system/a.service <<'END'\n[Unit]\nDescription=A\nSuccessAction=reboot-force\nEND\n",
        ),
        (
            "has no `}}`",
            "cat >.github/workflows/a.yml <<'END'\non: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo a # for several, ${{ env.x }/b\nEND\n",
        ),
        (
            "not valid JSON",
            "cat >a.tf <<'END'\nresource \"a\" \"b\" {\n  settings = <<SETTINGS\n    {\n      \"c\": \"D.ps1\\\\Add\"\n    }\n  SETTINGS\n}\nEND\n",
        ),
        (
            "The kernel has no",
            "cat >/etc/sysctl.d/k8s.conf <<'END'\nnet.bridge.bridge-nf-call-ip6tables = 1\nEND\n",
        ),
        (
            "defined nowhere",
            "cat >roles/a/tasks/main.yml <<'END'\n- name: A\n  ansible.builtin.include_vars:\n    file: a.yml\n    name: os_vars\n- name: B\n  when: mesh is defined\n  ansible.builtin.debug:\n    msg: \"{{ os_vars }} {{ mesh }}\"\nEND\n",
        ),
        (
            "defined nowhere",
            "cat >lib.sh <<'END'\nreadonly A=1\nread_all () {\n  write_all a\n}\nEND\ncat >main.sh <<'END'\n#!/bin/bash\n. lib.sh\nread_all\nEND\n",
        ),
        (
            "not a setting",
            "cat >/etc/rabbitmq/rabbitmq.conf <<'END'\nlisteners.tcp.1 = 10.0.0.5:5672\nloopback_users.guests = false\nEND\n",
        ),
        (
            "not valid here",
            "cat >/etc/logrotate.d/a <<'END'\n/var/log/a {\n  weekly\n  nocreateolddir\n}\nEND\n",
        ),
        (
            "not a setting",
            "cat >/etc/keepalived/keepalived.conf <<'END'\nincludea /etc/keepalived/conf.d/a.conf\nEND\n",
        ),
        (
            "not a setting",
            "cat >/etc/postgresql/15/main/conf.d/a.conf <<'END'\nintervalstyle = 'postgres'\nEND\n",
        ),
        (
            "has no property",
            "cat >a.yaml <<'END'\nTransform: Expand\nResources:\n  A:\n    Type: AWS::SQS::Queue\n    Properties:\n      Expanded: a\nEND\n",
        ),
        (
            "an id never",
            "cat >a.tf <<'END'\ndata \"aws_iam_policy_document\" \"a\" {\n  statement {\n    actions = [\"s3:PutObject\"]\n    resources = [\"*\"]\n    condition {\n      test = \"ArnLike\"\n      values = [\"arn:aws:logs:*:${data.aws_caller_identity.b.id}:*\"]\n      variable = \"aws:SourceArn\"\n    }\n  }\n}\nEND\n",
        ),
        ("closes nothing", "cat >a.yaml <<'END'\na: [<img src=\", b, \"c>\"]\nEND\n"),
    ] {
        let found = messages(script);
        if found.iter().any(|message| message.contains(part)) {
            wrong.push(format!("`{part}` is false: {script}\n{found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_sign_of_two_bytes_before_a_name_is_read() {
    for script in
        ["cat >a.conf <<'END'\n<a> # \u{105} = b\nEND\n", "cat >a.conf <<'END'\n\u{2d0}: b\nEND\n"]
    {
        messages(script);
    }
}
