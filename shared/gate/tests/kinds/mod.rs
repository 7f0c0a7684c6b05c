//! The list of faults.

use crate::{BASES, Fault};

/// A text that replaces another, at each of its occurrences in turn.
type Change = (&'static str, &'static str, &'static str, &'static str);

/// Kind, base, the original text, its replacement.
const CHANGES: &[Change] = &[
    ("shell: a block without its end", "network", "\nfi\n", "\n"),
    ("shell: a block without its end", "service", "\nfi\n", "\n"),
    ("shell: a block without its end", "service", "\ndone", "\n"),
    ("shell: a block without its end", "server", "\ndone", "\n"),
    ("shell: a block without its end", "service", "\nesac", "\n"),
    ("shell: a condition without then", "service", "; then", ""),
    ("shell: a condition without then", "network", "; then", ""),
    ("shell: a condition without then", "server", "; then", ""),
    ("shell: a quote that does not end", "service", "/health\"", "/health"),
    ("shell: a quote that does not end", "network", "are there\"", "are there"),
    ("shell: a quote that does not end", "stack", "run\"", "run"),
    ("shell: a here-document without its end", "network", "\nEOF\n\ncd", "\n\ncd"),
    ("shell: a here-document without its end", "server", "\nEOF\n\nexport", "\n\nexport"),
    ("shell: a here-document without its end", "stack", "\nEOF\n\ncd", "\n\ncd"),
    ("shell: an undefined variable", "network", "$dir/", "$folder/"),
    ("shell: an undefined variable", "network", "$project", "$PROJECT_NAME"),
    ("shell: an undefined variable", "service", "$archive", "$tarball"),
    ("shell: an undefined variable", "service", "$port", "$SERVICE_PORT"),
    ("shell: an undefined variable", "service", "$line", "$row"),
    ("shell: an undefined variable", "stack", "$count", "$number"),
    ("shell: an undefined variable", "server", "$attempt", "$TRY"),
    ("shell: an undefined variable in a written script", "service", "$here", "$folder"),
    ("shell: a test without its bracket", "service", "pid\" ]", "pid\""),
    ("shell: a test without its bracket", "network", "tfvars ]", "tfvars"),
    ("shell: an assignment with blanks", "service", "\nport=8080", "\nport = 8080"),
    ("shell: an assignment with blanks", "network", "\nproject=shop", "\nproject = shop"),
    ("terraform: a brace too few", "network", "\n}\n\nresource", "\n\nresource"),
    ("terraform: a brace too few", "network", "\n}\n\noutput", "\n\noutput"),
    ("terraform: a string that does not end", "network", "\"shop\" }", "\"shop }"),
    ("terraform: a string that does not end", "network", "\"aws_s3_bucket\"", "\"aws_s3_bucket"),
    ("terraform: an undeclared variable", "network", "var.region", "var.location"),
    ("terraform: an undeclared variable", "network", "var.admin_cidr", "var.admin_cidrs"),
    ("terraform: an undeclared variable", "network", "var.bucket_name", "var.bucket"),
    ("terraform: an undeclared local value", "network", "local.tags", "local.labels"),
    (
        "terraform: an undeclared resource",
        "network",
        "aws_s3_bucket.uploads",
        "aws_s3_bucket.files",
    ),
    (
        "terraform: an undeclared resource",
        "network",
        "aws_security_group.web.id",
        "aws_security_group.app.id",
    ),
    (
        "terraform: an undeclared resource",
        "network",
        "random_password.database",
        "random_password.db",
    ),
    (
        "terraform: an undeclared resource",
        "network",
        "aws_db_instance.orders.endpoint",
        "aws_db_instance.main.endpoint",
    ),
    (
        "terraform: an undeclared data source",
        "network",
        "data.aws_vpc.default",
        "data.aws_vpc.main",
    ),
    ("terraform: declared twice", "network", "variable \"admin_cidr\"", "variable \"region\""),
    ("terraform: declared twice", "network", "output \"database\"", "output \"bucket\""),
    ("terraform: a provider without a version", "network", "      version = \"~> 6.0\"\n", ""),
    ("terraform: a provider without a version", "network", "      version = \"~> 3.6\"\n", ""),
    ("terraform: a provider that is not required", "network", "    aws = {", "    amazon = {"),
    ("terraform: a provider that is not required", "network", "    random = {", "    rand = {"),
    ("terraform: an unknown argument of a resource", "network", "instance_class", "instance_type"),
    (
        "terraform: an unknown argument of a resource",
        "network",
        "allocated_storage ",
        "storage_gb ",
    ),
    ("public: a security group", "network", "[var.admin_cidr]", "[\"0.0.0.0/0\"]"),
    ("public: a security group", "network", "\"10.0.0.0/8\"", "\"0.0.0.0/0\""),
    ("public: a security group", "network", "from_port   = 443", "from_port   = 0"),
    ("public: a security group", "network", "    to_port     = 443", "    to_port     = 65535"),
    (
        "public: a security group",
        "network",
        "protocol    = \"tcp\"\n    cidr_blocks = [\"0",
        "protocol    = \"-1\"\n    cidr_blocks = [\"0",
    ),
    (
        "public: a bucket",
        "network",
        "block_public_acls       = true",
        "block_public_acls       = false",
    ),
    (
        "public: a bucket",
        "network",
        "block_public_policy     = true",
        "block_public_policy     = false",
    ),
    (
        "public: a bucket",
        "network",
        "restrict_public_buckets = true",
        "restrict_public_buckets = false",
    ),
    (
        "public: a bucket",
        "network",
        "terraform validate",
        "aws s3api put-bucket-acl --bucket b --acl public-read",
    ),
    (
        "public: a database",
        "network",
        "publicly_accessible     = false",
        "publicly_accessible     = true",
    ),
    ("public: a published port", "stack", "\"127.0.0.1:", "\""),
    ("public: a published port", "stack", "\"127.0.0.1:", "\"0.0.0.0:"),
    ("public: a published port", "stack", "--network none", "--publish 6379:6379"),
    ("unpinned: an image", "stack", ":1.28.0", ""),
    ("unpinned: an image", "stack", ":1.28.0", ":latest"),
    ("unpinned: an image", "stack", ":4.2.1", ""),
    ("unpinned: an image", "stack", ":4.2.1", ":stable"),
    ("unpinned: an image", "stack", ":17.4", ""),
    ("unpinned: an image", "stack", ":17.4", ":latest"),
    ("unpinned: an image", "stack", ":8.0.1", ""),
    ("unpinned: an image", "stack", ":8.0.1", ":alpine"),
    ("unpinned: an image", "stack", "debian:13.1-slim", "debian"),
    ("unpinned: an image", "stack", "debian:13.1-slim", "debian:latest"),
    ("unpinned: an image", "stack", "alpine:3.22", "alpine"),
    ("unpinned: a package", "service", "install httpie==3.2.4", "install httpie"),
    ("unpinned: a package", "server", "gunicorn==23.0.0", "gunicorn"),
    ("unpinned: a package", "server", "    state: present\n", "    state: latest\n"),
    (
        "unpinned: a download",
        "service",
        "releases/$release/service",
        "releases/latest/download/service",
    ),
    (
        "unpinned: a script from the network",
        "service",
        "\nport=8080",
        "\ncurl -fsSL https://get.example.com | sh\nport=8080",
    ),
    (
        "unpinned: a script from the network",
        "server",
        "ansible.builtin.command: nginx -v",
        "ansible.builtin.shell: wget -qO- https://get.example.com | sh -",
    ),
    (
        "unpinned: a script from the network",
        "stack",
        "\ncd ",
        "\ncurl -fsSL https://get.example.com | sudo bash\ncd ",
    ),
    (
        "secret: a password in a file",
        "stack",
        "DATABASE_PASSWORD: ${DATABASE_PASSWORD:?}",
        "DATABASE_PASSWORD: kX93-fjLq-77ab-Tz",
    ),
    (
        "secret: a password in a file",
        "server",
        "{{ lookup('ansible.builtin.env', 'DATABASE_PASSWORD') }}",
        "kX93-fjLq-77ab-Tz",
    ),
    (
        "secret: a password in a file",
        "network",
        "random_password.database.result",
        "\"kX93-fjLq-77ab-Tz\"",
    ),
    (
        "secret: a password in a command",
        "service",
        "\nport=8080",
        "\nexport DB_PASSWORD=kX93-fjLq-77ab-Tz\nport=8080",
    ),
    (
        "secret: a password in a command",
        "stack",
        "--network none",
        "--env POSTGRES_PASSWORD=kX93fjLq77abTz",
    ),
    (
        "secret: a token",
        "service",
        "\nport=8080",
        "\ntoken=ghp_16C7e42F292c6912E7710c838347Ae178B4a\nport=8080",
    ),
    (
        "secret: a token",
        "network",
        "region = var.region",
        "region = var.region\n  access_key = \"AKIAQX7PLM2ZR4TN6WBD\"",
    ),
    (
        "secret: an address with a password",
        "stack",
        "\"redis-server\"",
        "\"redis-server\", \"redis://cache:kX93fjLq77@cache:6379/0\"",
    ),
    ("yaml: a wrong indentation", "server", "\n    state: link\n", "\n   state: link\n"),
    ("yaml: a wrong indentation", "server", "\n    enabled: true\n", "\n      enabled: true\n"),
    (
        "yaml: a wrong indentation",
        "stack",
        "\n    restart: unless-stopped\n",
        "\n   restart: unless-stopped\n",
    ),
    (
        "yaml: a wrong indentation",
        "stack",
        "\n  scrape_interval: 15s\n",
        "\n  scrape_interval: 15s\n    a: b\n",
    ),
    ("yaml: a tab", "server", "\n    owner: root\n", "\n\towner: root\n"),
    ("yaml: a tab", "stack", "\n      interval: ", "\n\tinterval: "),
    ("yaml: a quote that does not end", "server", "{{ item.name }}\"", "{{ item.name }}"),
    ("yaml: a quote that does not end", "stack", "80:80\"", "80:80"),
    ("yaml: an unquoted template", "server", "\"{{ web_users }}\"", "{{ web_users }}"),
    ("yaml: an unquoted template", "server", "\"{{ web_port }}\"", "{{ web_port }}"),
    ("yaml: a colon in a plain value", "server", "name: Make the users", "name: Make users: all"),
    (
        "yaml: a key twice",
        "stack",
        "    networks: [back]\n",
        "    networks: [back]\n    networks: [front]\n",
    ),
    ("json: a comma too many", "stack", "\"search\"]", "\"search\",]"),
    ("json: a comma too many", "stack", "{\"orders\": 100}", "{\"orders\": 100},"),
    ("json: a comma too few", "stack", "\"shop\",", "\"shop\""),
    ("compose: an unknown key", "stack", "    image: ", "    img: "),
    ("compose: an unknown key", "stack", "    ports:", "    port:"),
    ("compose: an unknown key", "stack", "    healthcheck:", "    health_check:"),
    ("compose: an unknown key", "stack", "    environment:", "    env:"),
    ("compose: an undeclared volume", "stack", "- data:/", "- database:/"),
    ("compose: an undeclared volume", "stack", "- cache:/", "- redis:/"),
    ("compose: an undeclared network", "stack", "networks: [back]", "networks: [inner]"),
    ("compose: an unknown dependency", "stack", "      - app\n", "      - application\n"),
    (
        "compose: an unknown dependency",
        "stack",
        "      database:\n        condition",
        "      postgres:\n        condition",
    ),
    ("ansible: an unknown module", "server", "ansible.builtin.apt:", "ansible.builtin.apt_get:"),
    (
        "ansible: an unknown module",
        "server",
        "ansible.builtin.systemd_service:",
        "ansible.builtin.systemctl:",
    ),
    (
        "ansible: an unknown module",
        "server",
        "ansible.builtin.wait_for:",
        "ansible.builtin.wait_port:",
    ),
    ("ansible: a wrong argument", "server", "    update_cache: true", "    refresh_cache: true"),
    ("ansible: a wrong argument", "server", "    password_lock: true", "    lock_password: true"),
    ("ansible: a wrong argument", "server", "    owner: root", "    user: root"),
    ("ansible: a wrong argument", "server", "    virtualenv: ", "    venv: "),
    ("ansible: a wrong argument", "server", "    enabled: true", "    enable: true"),
    ("ansible: a wrong argument", "server", "        timeout: 60", "        wait: 60"),
    ("ansible: a wrong keyword", "server", "  register: ", "  registers: "),
    ("ansible: a wrong keyword", "server", "  changed_when: ", "  change_when: "),
    ("ansible: a wrong keyword", "server", "  loop: ", "  loops: "),
    ("ansible: a wrong keyword", "server", "  become: true", "  becomes: true"),
    ("ansible: a missing handler", "server", "notify: Reload nginx", "notify: Reload the site"),
    ("ansible: a missing handler", "server", "    - Reload nginx", "    - reload nginx"),
    (
        "ansible: a missing handler",
        "server",
        "notify: Restart the application",
        "notify: Restart shop",
    ),
    ("ansible: a missing handler", "server", "- name: Reload nginx", "- name: Reload NGINX"),
    ("ansible: an undefined variable", "server", "{{ web_name }}", "{{ site_name }}"),
    ("ansible: an undefined variable", "server", "{{ web_port }}", "{{ app_port }}"),
    ("ansible: an undefined variable", "server", "{{ web_users }}", "{{ users }}"),
    ("destroy: a database", "stack", "\ncd ", "\npsql --command 'DROP DATABASE shop'\ncd "),
    ("program: a command that does not exist", "service", "tar --extract", "untar --extract"),
    ("program: an option that does not exist", "service", "--max-time 60", "--maximum-time 60"),
];

/// Commands that destroy something, inserted where a script begins its work.
const DESTROYERS: [&str; 13] = [
    "terraform destroy -auto-approve",
    "terraform apply -destroy -auto-approve",
    "terraform apply -destroy=true -auto-approve",
    "terraform -chdir=terraform state rm aws_db_instance.orders",
    "sudo rm -rf /",
    "rm -rf ~",
    "docker volume rm stack_data",
    "docker compose down --volumes",
    "docker system prune --all --force",
    "aws s3 rb s3://backups --force",
    "aws ec2 terminate-instances --instance-ids i-0",
    "ssh server 'sudo dropdb shop'",
    "kubectl delete namespace shop",
];

/// Every fault.
pub fn all() -> Vec<Fault> {
    let mut faults = Vec::new();
    for (kind, name, from, to) in CHANGES {
        let base = BASES.iter().find(|(base, _)| base == name).unwrap().1;
        let places: Vec<usize> = base.match_indices(from).map(|(at, _)| at).collect();
        assert!(!places.is_empty(), "{kind}: {from:?} is not in {name}");
        for at in places {
            let script = format!("{}{to}{}", &base[..at], &base[at + from.len()..]);
            faults.push(Fault { kind, base: name, script });
        }
    }
    for (name, base) in BASES {
        for command in DESTROYERS {
            let script =
                base.replacen("set -euo pipefail\n", &format!("set -euo pipefail\n{command}\n"), 1);
            faults.push(Fault { kind: "destroy: a command in another step", base: name, script });
        }
    }
    faults
}
