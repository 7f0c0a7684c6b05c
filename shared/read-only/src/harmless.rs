//! Commands that people and models write to look at things, and the places where they may run without approval.

use super::{Place, Reach, Reading};

/// In the sandbox.
const SANDBOX: &[&str] = &[
    "ls",
    "ls -la",
    "ls -la terraform",
    "ls -l orders && cat orders/service.json",
    "ls /",
    "pwd",
    "tree -L 2 terraform",
    "cat /etc/os-release",
    "cat main.tf",
    "cat ./terraform/main.tf",
    "cat 'my file.txt'",
    "head -n 20 README.md",
    "head -20 README.md",
    "tail -n50 app.log",
    "tail -50 app.log | grep -i error",
    "grep -n 'listen 80' nginx.conf",
    "grep -c ' 500 ' access.log",
    "grep -in \"can't connect\" app.log | tail -n 5",
    "grep -rn user app",
    "grep -rn '' .",
    "grep -rl --include '*.tf' aws_instance | head",
    "grep -rin --exclude-dir=node_modules --include '*.yml' 'image: nginx' app web",
    "wc -l access.log",
    "sort -rn counts.txt | uniq -c | head",
    "cut -d: -f1 names.txt | sort -u",
    "awk '{print $1}' access.log | sort | uniq -c | sort -rn | head -5",
    "awk -F: '{print $1, $7}' table.txt",
    "sed -n '10,20p' main.tf",
    "sed -n 5p main.tf",
    "find . -name '*.tf' -type f",
    "find terraform -maxdepth 1 -mtime -7 -size +10M",
    "find . -maxdepth 4 -type f -size -1024k",
    "du -sh .",
    "du -sh orders",
    "df -h",
    "df -h . && du -sh orders",
    "free -m",
    "uptime",
    "uname -a",
    "python3 --version; uname -sr",
    "whoami && id",
    "date -u +%FT%TZ",
    "nproc",
    "lscpu",
    "ps -eo pid,comm,%cpu --sort=-%cpu | head",
    "ps -eo pid,etime,pcpu,pmem,comm --sort=-pcpu | head -n 15",
    "top -bn1 | head -15",
    "ss -tlnp",
    "ss -ltn 2>/dev/null || cat /proc/net/tcp",
    "find . -maxdepth 4 -type f; ss -tlnH",
    "ps -e; cat /etc/os-release; df -h; uptime",
    "netstat -tlnp",
    "ip addr",
    "ip -br addr show",
    "terraform version",
    "terraform fmt -check -recursive",
    "terraform plan -help | head -n 40",
    "docker compose up --help",
    "rsync --help",
    "terraform -chdir=terraform fmt -check",
    "git --version; docker --version; terraform --version",
    "curl -fsS http://localhost:8080/health",
    "curl -s -o /dev/null -w '%{http_code}\\n' http://127.0.0.1/",
    "curl -m 5 'http://[::1]:3000/'",
    "curl -sS --fail-with-body -m 5 http://127.0.0.1:9090/healthz",
    "curl -H 'Accept: application/json' http://127.0.0.1:9090/v1/status/leader",
    "test -f main.tf && echo yes || echo no",
    "cd terraform && ls",
    "command -v docker",
    "which terraform ansible",
    "jq -r '.version' package.json",
    "jq '.services[0].name' stack.json",
    "sha256sum backup.tar.gz",
    "diff -u a.conf b.conf",
    "ls nowhere 2>/dev/null",
    "ls nowhere >/dev/null 2>&1",
    "file image.png",
    "strings -n 8 program | head -n 3",
    "cat /etc/hosts /etc/resolv.conf",
    "cat /etc/hostname",
    "hostnamectl status; timedatectl status",
    "vmstat; vmstat 1 3",
    "pgrep -l nginx || pidof nginx",
    "nginx -v 2>&1",
    "ps -eo comm | sort | uniq -c | column -t",
    "ps axo pid,rss,comm --sort=-rss | head -n 5",
    "find . -path './terraform/*' -name '*.tf' -o -name '*.yml'",
    "find . -type f -not -path './node_modules/*'",
    "tail -n +5 notes.txt | head -n 3",
    "stat -c '%a %U %n' main.tf",
    "test -x deploy.sh && echo '--- it runs ---'",
    "echo '---'; ls; echo --",
    "curl -s localhost:3000/health",
    "curl -s -o /dev/null -w 'HTTP %{http_code} in %{time_total}s\\n' http://localhost:8080/health",
    "sleep 3; ss -tln",
    "df -h --output=target,pcent",
    "netstat -plnt",
];

/// On a server.
const SERVER: &[&str] = &[
    "uptime; systemctl is-system-running; systemctl list-units --state=failed --no-legend --plain",
    "journalctl --no-pager --lines 50 --priority warning",
    "journalctl -u nginx -n 50 --no-pager",
    "journalctl -u nginx --since '1 hour ago' --no-pager | tail -20",
    "df -h -x tmpfs -x devtmpfs -x overlay",
    "free -h; ps -eo pid,rss,comm --sort=-rss | head -n 8",
    "ss -ltn",
    "ss -tlnp | grep :80",
    "uname -sr; cat /etc/os-release",
    "who; last -n 10 2>/dev/null; journalctl --no-pager --unit ssh --lines 20",
    "systemctl status nginx --no-pager",
    "systemctl --failed",
    "systemctl is-active nginx",
    "systemctl list-timers dump-database.timer --no-pager",
    "docker ps",
    "systemctl list-units --type=service --state=running --no-legend --plain | awk '{print $1}'",
    "docker ps -a --format '{{.Names}}: {{.Status}}'",
    "docker logs --tail 50 web",
    "docker logs --tail=100 web 2>&1 | tail -20",
    "docker stats --no-stream",
    "docker system df",
    "tail -n 100 /var/log/syslog",
    "tail -n 20 /var/log/nginx/error.log",
    "ls -l /etc/nginx/sites-enabled",
    "du -sh /var/lib/docker",
    "find /var/log -name '*.gz' -size +10M",
    "ls /; ls -l /home; df -h /",
    "ps -e; ls",
    "tail -n 5 /var/log/nginx/error.log; ps -eo comm | head -n 3",
    "du -sh /home/anna/shop",
    "crontab -l",
    "ufw status verbose",
    "pg_isready",
    "curl -sI http://localhost/",
    "dpkg -l nginx",
    "lsblk -o NAME,SIZE",
    "hostname -I",
    "id",
    "docker ps --format 'table {{.Names}}\\t{{.Status}}'",
    "systemctl status nginx.service docker -l --no-pager",
    "systemctl status getty@tty1",
    "journalctl -xe --no-pager | tail -n 50",
    "journalctl -xeu nginx --no-pager",
    "dmesg -T | tail -n 30",
    "dmesg --ctime --level err",
    "vmstat 1 5",
    "pgrep -lx nginx",
    "cat /etc/resolv.conf",
    "nginx -v",
    "curl -fsS http://localhost:8080/actuator/health",
    "curl -s http://127.0.0.1:9200/_cluster/health",
    "ls -l /opt/net /srv/dev",
    "tail -n 500 /var/log/nginx/access.log | awk '{print $1}' | sort | uniq -c | sort -rn | head -10",
    "cut -d' ' -f1 /var/log/nginx/access.log | sort | uniq -c | sort -rn | head -n 10",
    "ss -tln | awk '{print $4}' | sort",
    "journalctl -u ssh -g 'Failed password' --no-pager -n 20",
    "curl -s http://localhost:9100/metrics | grep -c node",
    "curl -sS -m 5 --retry 3 http://localhost:3000/api/health",
    "ip addr show eth0; ip -s link show enp0s31f6; ethtool ens3",
    "ip -4 addr show; ip neigh",
    "docker ps -a --filter status=exited --format '{{.Names}}'",
    "docker ps -f name=web -q",
    "docker inspect -f '{{.Config.Image}} {{.State.Status}}' web",
    "docker logs --since 1h --until 5m --tail 20 web",
    "journalctl -u nginx --since -1h --no-pager -n 100",
    "journalctl -b -1 -p err -n 50 --no-pager",
    "journalctl -t sshd -n 20 -o short-iso --no-pager",
    "journalctl -eu nginx -n 20 --no-pager",
    "systemctl list-dependencies nginx --no-pager",
    "systemctl list-units --state=activating --no-pager",
    "systemctl get-default",
    "pg_isready -h localhost -p 5432 -U app -d shop",
    "mysqladmin ping -h 127.0.0.1",
    "openssl x509 -in /etc/letsencrypt/live/a/fullchain.pem -noout -checkend 2592000",
    "openssl x509 -in /etc/ssl/certs/a.pem -noout -text",
    "openssl x509 -noout -ext subjectAltName -in /etc/ssl/certs/a.pem",
    "ss -tn sport = :443",
    "tail -n 20 /var/log/nginx/error.log.1",
    "grep -c Failed /var/log/secure",
    "tail -n 20 /var/log/httpd/error_log",
    "cat /etc/redhat-release",
    "sleep 5 && systemctl is-active nginx",
    "iostat -x 1 3; mpstat 1 2",
    "last -5; mount | grep ext4",
    "nginx -V 2>&1; docker -v",
    "dpkg -S /usr/sbin/nginx; rpm -q nginx",
    "lsb_release -ds; cloud-init status --long",
    "getenforce; sestatus; firewall-cmd --list-all",
    "stat -c '%a %U' /etc/nginx/nginx.conf",
];

/// Typed into the user's own terminal, with Enter.
const TERMINAL: &[&str] =
    &["ls", "pwd", "ls -l terraform", "cat note.txt | head -n 3", "df -h", "grep -n x main.tf"];

#[test]
fn reading_commands_may_run_without_approval() {
    for (place, commands) in
        [(Place::Sandbox, SANDBOX), (Place::Server, SERVER), (Place::Terminal, TERMINAL)]
    {
        let asked: Vec<_> =
            commands.iter().filter(|command| Reading::of(command, place).is_none()).collect();
        assert!(asked.is_empty(), "{place:?}: taken for more than reading: {asked:#?}");
    }
}

#[test]
fn a_reading_names_what_it_needs_to_reach() {
    let reach = |command: &str| Reading::of(command, Place::Sandbox).unwrap().reach;
    assert_eq!(reach("cat main.tf | head"), Reach::default());
    assert_eq!(
        reach("curl http://localhost:81/ | head"),
        Reach { loopback_port: Some(81), ..Reach::default() }
    );
    assert_eq!(
        reach("curl https://localhost/up"),
        Reach { loopback_port: Some(443), ..Reach::default() }
    );
    assert!(reach("ps -e").processes && reach("cat /proc/net/tcp").processes);
    assert!(
        Reading::of("curl http://localhost:81/ http://localhost:82/", Place::Sandbox).is_none()
    );
    assert!(
        Reading::of("curl http://localhost:81/; curl http://localhost:82/", Place::Sandbox)
            .is_none()
    );
}

#[test]
fn what_is_read_of_a_log_on_a_server_is_the_file_of_that_name() {
    let remote = |command: &str| Reading::of(command, Place::Server).unwrap().remote();
    let opened = "{ if [ \"$(readlink /proc/self/fd/0)\" = /var/log/a/b.log ]; then tail -n 5; else echo \
                  '/var/log/a/b.log is a link, so it is read only with an approval.' >&2; false; fi; }";
    assert_eq!(remote("tail -n 5 /var/log/a/b.log"), format!("{opened} </var/log/a/b.log"));
    assert_eq!(
        remote("uptime; tail -n 5 /var/log/a/b.log 2>&1 | grep -c x || true"),
        format!("uptime; {opened} 2>&1 </var/log/a/b.log | grep -c x || true")
    );
    assert!(remote("grep -n a /var/log/syslog").contains("then grep -n a; else"));
    for same in ["cat /etc/os-release", "ls -l /var/log/a.log", "journalctl -n 5 --no-pager"] {
        assert_eq!(remote(same), same);
    }
}

#[test]
fn a_reading_that_may_show_parts_of_lines_says_so() {
    let parts = |command: &str| Reading::of(command, Place::Sandbox).expect(command).reach.parts;
    for whole in [
        "cat -n a.txt",
        "head -n 3 a.txt | nl",
        "tail -20 a.txt",
        "sed -n 2,4p a.txt",
        "wc -c a.txt",
        "ls -la",
    ] {
        assert!(!parts(whole), "{whole}");
    }
    for pieces in [
        "cut -c1-4 a.txt",
        "cut -d= -f2 a.txt",
        "head -c 20 a.txt",
        "tail -c20 a.txt",
        "grep -in error a.txt",
        "grep -q '^password=a' a.txt",
        "cat a.txt | grep -c '^a'",
        "sort a.txt",
        "cat a.txt b.txt | uniq -d",
        "sha256sum a.txt",
        "diff -u a.txt b.txt",
        "grep -o S3c a.txt",
        "grep -ino S3c a.txt",
        "awk '{print $2}' a.txt",
        "jq -r .password a.json",
        "cmp -l a.txt b.txt",
        "diff -y a.txt b.txt",
        "cat -A a.txt",
        "strings -n 4 a.txt",
        "file a.txt",
        "tac a.txt",
        "cat a.txt | column -t",
        "cat a.txt | cut -c1-4",
        "ls; cat a.txt | sort | awk '{print $1}'",
    ] {
        assert!(parts(pieces), "{pieces}");
    }
}

#[test]
fn a_readings_script_is_written_from_the_judged_words() {
    for (written, runs) in [
        ("  ls   -la  'terraform' ", "ls -la terraform"),
        ("grep \"it's\" a.txt", "grep 'it'\"'\"'s' a.txt"),
        ("echo '' \"'\"", "echo '' \"'\""),
        ("ls x 2>/dev/null||echo no|wc -c;pwd", "ls x 2>/dev/null || echo no | wc -c; pwd"),
    ] {
        let reading = Reading::of(written, Place::Sandbox).unwrap();
        assert_eq!(reading.script(), runs);
        assert_eq!(Reading::of(runs, Place::Sandbox), Some(reading), "{runs}");
    }
}

#[test]
fn a_typed_command_names_its_programs_by_their_whole_path() {
    let typed = |command: &str| Reading::of(command, Place::Terminal).unwrap().typed();
    assert_eq!(typed("cat note.txt | head -n 3"), "/usr/bin/cat note.txt | /usr/bin/head -n 3");
    assert_eq!(typed("pwd"), "pwd");
}
