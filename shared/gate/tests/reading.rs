//! Tests that the gate finds what a check changes, and not what it reads or makes for itself.

use gate::{Context, changes, examine};

fn found(script: &str) -> Vec<String> {
    let context = Context { check: true, ..Context::default() };
    let found = examine(script, &context).into_iter().map(|found| found.message);
    found.filter(|message| message.contains("a check only reads")).collect()
}

#[test]
fn every_change_is_found() {
    let mut wrong = Vec::new();
    for script in [
        "cd ansible\nansible-playbook site.yml",
        "said=$(ANSIBLE_NOCOLOR=1 ansible-playbook -i hosts site.yml)",
        "ansible servers -b -m ansible.builtin.service -a 'name=nginx state=restarted'",
        "terraform -chdir=terraform apply -auto-approve",
        "terraform -chdir=terraform plan -out=tfplan",
        "tofu state rm a.b",
        "terraform refresh",
        "systemctl restart nginx",
        "ssh -F ssh/config web 'sudo systemctl enable --now nginx'",
        "ssh -F ssh/config web 'bash -s' <<'REMOTE'\nset -euo pipefail\nsudo systemctl start dump.service\nREMOTE",
        "sudo service nginx reload",
        "sudo /etc/init.d/nginx restart",
        "./orders/control.sh restart",
        "timeout 5 orders/control.sh start",
        "sudo nginx -s reload",
        "sudo apt-get --yes install curl",
        "apt-get update",
        "sudo dpkg --configure -a",
        "docker compose --project-directory /opt/web up --detach",
        "docker restart web",
        "docker run --detach nginx",
        "sudo docker-compose -f a.yml down",
        "sudo k3s kubectl --namespace hello rollout restart deployment/hello",
        "kubectl apply -f hello.yaml",
        "helm upgrade a b",
        "sudo ufw allow 80/tcp",
        "sudo iptables -A INPUT -j DROP",
        "sysctl -w vm.swappiness=1",
        "sudo reboot",
        "sudo systemd-run --on-active=2 systemctl reboot",
        "echo x | crontab -",
        "sudo certbot renew",
        "redis-cli config set maxmemory 1",
        "redis-cli FLUSHALL",
        "aws s3 sync site s3://a",
        "aws ec2 reboot-instances --instance-ids i-1",
        "hcloud server reset web",
        "curl --request DELETE http://127.0.0.1:9200/logs",
        "sed -i 's/a/b/' /etc/ssh/sshd_config",
        "echo a | sudo tee /etc/motd",
        "echo a >report.txt",
        "file=/etc/motd\necho a >\"$file\"",
        "cp a /etc/b",
        "mkdir -p evidence",
        "rm -f .before",
        "sudo chmod 600 /etc/app/key",
        "sudo find /var/backups -mtime +3 -delete",
        "psql --command \"INSERT INTO orders VALUES (1)\"",
        "psql --command 'ALTER ROLE app CREATEDB'",
        "mysql --execute='CREATE TABLE app.mark (n INT)'",
        "sudo -u postgres dropdb orders",
    ] {
        if found(script).len() != 1 {
            wrong.push(format!("{script}: {:?}", found(script)));
        }
        let steps = examine(script, &Context::default());
        assert!(!steps.iter().any(|one| one.message.contains("a check only reads")), "{script}");
        assert_eq!(changes(script).is_empty(), found(script).is_empty(), "{script}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn reading_and_scratch_files_give_no_findings() {
    let mut wrong = Vec::new();
    for script in [
        "set -euo pipefail\ntest -f a && grep -q x a\n(exit $?)\nls",
        "ansible-playbook --check --diff site.yml",
        "ansible-playbook -C site.yml",
        "ansible-playbook --syntax-check --inventory localhost, site.yml",
        "ansible servers -m ansible.builtin.ping",
        "terraform -chdir=terraform plan -input=false -lock=false -detailed-exitcode",
        "terraform -chdir=terraform plan -out=\"$scratch/plan\"",
        "terraform -chdir=terraform show -json",
        "terraform -chdir=terraform init -input=false",
        "systemctl is-enabled nginx\nsystemctl status nginx\nsystemctl list-timers",
        "./orders/control.sh status",
        "sudo nginx -t",
        "apt-get --simulate upgrade",
        "apt-get -s dist-upgrade",
        "sudo unattended-upgrade --dry-run",
        "docker compose --project-directory /opt/up ps --all",
        "docker compose exec --no-TTY mysql mysqladmin status",
        "docker run --rm alpine true",
        "docker compose config --quiet",
        "kubectl --namespace apply get pods",
        "kubectl rollout status deployment/a",
        "kubectl apply --dry-run=server -f a.yaml",
        "kubectl auth can-i create pods",
        "sudo ufw status verbose\nsudo ufw show added",
        "sudo iptables -L -n",
        "sysctl -n vm.swappiness",
        "ip -json address show",
        "crontab -l",
        "sudo certbot renew --dry-run --no-random-sleep-on-renew",
        "redis-cli config get maxmemory\nredis-cli set key 1 EX 60",
        "aws s3 cp s3://a/b -",
        "aws ec2 describe-instances",
        "hcloud server list",
        "curl --output /dev/null --request POST --data a=b http://127.0.0.1/login",
        "timeout 4 bash -c \"exec 3<>/dev/tcp/127.0.0.1/80\" 2>/dev/null",
        "folder=$(mktemp -d)\ntrap 'rm -rf \"$folder\"' EXIT\ncurl -o \"$folder/page\" http://a\ncp b \"$folder/c\"\ncd \"$folder\"\nmkdir d\necho a >e",
        "sed -n 1p file >&2",
        "psql --command 'CREATE TEMPORARY TABLE probe (n int); INSERT INTO probe SELECT 1; SELECT sum(n) FROM probe;'",
        "psql --command 'SELECT last_altered FROM x' # ALTER nothing",
        "copy=restore_check\ntrap 'dropdb --if-exists \"$copy\"' EXIT\ncreated=$(psql --command \"SELECT 1\")\nsudo restore-dump \"$copy\"",
        "sudo mariadb --execute 'CREATE DATABASE restore_check'\nsudo mariadb --execute 'DROP DATABASE IF EXISTS restore_check'",
        "sudo -u postgres dropdb --if-exists restore_check",
    ] {
        wrong.extend(found(script).into_iter().map(|found| format!("{script}: {found}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
