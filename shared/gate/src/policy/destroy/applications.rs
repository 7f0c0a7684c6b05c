//! Knows the commands with which frameworks, migrations and servers delete all that they keep.

use crate::bash::base;
use crate::yaml::Node;
use crate::{Unit, Written};

/// Programs, and the words after them that delete data. Several words must come in this order; a word that ends with
/// `*` is the beginning of one.
const DELETING: [(&str, &[&str]); 43] = [
    ("alembic", &["downgrade base"]),
    ("artisan", &["db:wipe", "migrate:fresh", "migrate:refresh", "migrate:reset"]),
    ("atlas", &["schema clean"]),
    ("cargo", &["sqlx database drop", "sqlx database reset"]),
    ("ceph", &["osd purge", "osd pool delete", "osd pool rm"]),
    ("consul", &["kv delete -recurse"]),
    (
        "console",
        &["doctrine:database:drop", "doctrine:schema:drop", "doctrine:mongodb:schema:drop"],
    ),
    ("cryptsetup", &["erase", "luksErase", "luksFormat"]),
    ("dbmate", &["drop"]),
    ("diesel", &["database reset", "database drop"]),
    ("django-admin", &["flush", "reset_db"]),
    ("doctrine", &["orm:schema-tool:drop"]),
    ("dotnet", &["ef database drop"]),
    ("drush", &["sql-drop", "sql:drop", "site-install", "site:install"]),
    ("etcdctl", &["del --prefix", "del --from-key"]),
    ("flask", &["db downgrade base"]),
    ("flyway", &["clean"]),
    ("goose", &["reset", "down-to 0"]),
    ("influx", &["bucket delete", "delete"]),
    ("k3s-uninstall.sh", &[""]),
    ("kafka-topics.sh", &["--delete"]),
    ("knex", &["migrate:rollback --all"]),
    ("kubeadm", &["reset"]),
    ("liquibase", &["drop-all", "dropAll"]),
    ("manage.py", &["flush", "reset_db", "migrate zero"]),
    ("mc", &["rb --force", "rm --recursive", "rm -r"]),
    ("migrate", &["drop", "down -all"]),
    ("mix", &["ecto.drop", "ecto.reset"]),
    ("mongorestore", &["--drop"]),
    ("prisma", &["migrate reset", "db push --force-reset", "db push --accept-data-loss"]),
    ("rabbitmqctl", &["delete_vhost", "force_reset", "reset"]),
    ("rails", &["db:drop*", "db:migrate:reset", "db:purge*", "db:reset*", "db:truncate_all"]),
    ("rake", &["db:drop*", "db:migrate:reset", "db:purge*", "db:reset*", "db:truncate_all"]),
    ("rclone", &["delete", "purge"]),
    ("s3cmd", &["del --recursive", "rb"]),
    ("sequelize", &["db:drop", "db:migrate:undo:all"]),
    ("sequelize-cli", &["db:drop", "db:migrate:undo:all"]),
    ("snap", &["remove --purge"]),
    ("sqlx", &["database drop", "database reset"]),
    ("supabase", &["db reset"]),
    ("typeorm", &["schema:drop"]),
    ("velero", &["backup delete", "restore delete"]),
    ("wp", &["db clean", "db drop", "db reset", "site empty"]),
];

/// Programs whose words are texts and names for other purposes.
const TELLING: [&str; 12] =
    ["cat", "cd", "cp", "echo", "git", "grep", "install", "logger", "ls", "printf", "rg", "which"];

/// What the words of a command delete, wherever the program is among them: after a container, a shell or an
/// interpreter.
pub(super) fn command(argv: &[&str]) -> Option<String> {
    let first = argv.first()?;
    if TELLING.contains(first) {
        return None;
    }
    let deleting = argv.iter().enumerate().find_map(|(at, word)| {
        let name = base(word).split(':').next().unwrap_or(word);
        let (_, ends) = DELETING.iter().find(|(program, _)| *program == name)?;

        let rest = argv.get(at + 1..)?;
        let carried = at == 0 || CARRYING.contains(first);
        (carried && ends.iter().any(|end| follows(rest, end))).then_some(at)
    })?;
    let asks = ["--dry-run", "--help", "--list", "-h", "-n"];
    let shown = argv.get(deleting..)?.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" ");
    let kept = ["--keep", "--max-age", "--min-age", "--older-than"];
    let only_asks = argv
        .get(deleting..)?
        .iter()
        .any(|word| asks.contains(word) || kept.iter().any(|option| word.starts_with(option)));
    (!only_asks).then(|| format!("`{shown}` deletes what the application keeps"))
}

/// How many words of a command a message shows.
const SHOWN: usize = 4;

/// Programs that run another one, which their words name.
const CARRYING: [&str; 26] = [
    "bundle",
    "bunx",
    "composer",
    "doas",
    "docker",
    "docker-compose",
    "fly",
    "flyctl",
    "heroku",
    "kubectl",
    "node",
    "npm",
    "npx",
    "oc",
    "php",
    "pipenv",
    "pnpm",
    "podman",
    "poetry",
    "python",
    "python3",
    "ruby",
    "su",
    "uv",
    "uvx",
    "yarn",
];

/// Whether all words of `end` are in `rest` in their order, the first of them before any other plain word but an option
/// and its value.
fn follows(rest: &[&str], end: &str) -> bool {
    let mut words = rest.iter();
    end.split_whitespace().all(|wanted| {
        words.any(|word| match wanted.strip_suffix('*') {
            Some(start) => word.starts_with(start),
            None => *word == wanted,
        })
    })
}

/// Commands as lists of words in YAML, lines of units and of Dockerfiles, and Ansible's module for Django.
pub(super) fn written(unit: &Unit) -> Vec<(String, usize, String)> {
    let mut found = Vec::new();
    for file in unit.written() {
        let of = |(line, what)| (file.path.clone(), line, what);
        found.extend(listed(file).into_iter().map(of));
        found.extend(lines(file).into_iter().map(of));
    }
    found
}

fn listed(file: &Written) -> Vec<(usize, String)> {
    if !crate::places::is_yaml(file) {
        return Vec::new();
    }
    let documents = crate::yaml::documents(&file.filled()).unwrap_or_default();
    let mut found = Vec::new();
    for node in documents.iter().flat_map(Node::all) {
        for key in ["args", "argv", "command", "entrypoint", "test"] {
            let Some(given) = node.get(key) else { continue };
            let words: Vec<&str> = match given.text() {
                Some(text) => text.split_whitespace().collect(),
                None => given.list().iter().filter_map(Node::text).collect(),
            };
            // A shell gets its command as one word.
            let words: Vec<&str> = words.iter().flat_map(|word| word.split_whitespace()).collect();
            found.extend(command(&words).map(|what| (given.line, what)));
        }
        let django = ["community.general.django_manage", "django_manage"];
        let django = django.iter().find_map(|name| node.get(name)?.get("command"));
        if let Some(given) = django {
            let words: Vec<&str> =
                given.text().into_iter().flat_map(str::split_whitespace).collect();
            let whole: Vec<&str> = std::iter::once("manage.py").chain(words).collect();
            found.extend(command(&whole).map(|what| (given.line, what)));
        }
    }
    found
}

fn lines(file: &Written) -> Vec<(usize, String)> {
    let service = file.name().ends_with(".service");
    let image = crate::places::is_dockerfile(file);
    let starts = ["CMD [", "ENTRYPOINT [", "CMD ", "ENTRYPOINT "];
    let read = |(at, line): (usize, &str)| {
        let command = match line.trim().split_once('=') {
            Some((key, value)) if service && key.starts_with("Exec") => value.to_owned(),
            _ if image => starts.iter().find_map(|start| line.strip_prefix(start))?.to_owned(),
            _ => return None,
        };
        let command = command.replace(['"', ',', ']', '\''], " ");
        let words: Vec<&str> = command.split_whitespace().collect();
        Some((at + 1, self::command(&words)?))
    };
    file.text.lines().enumerate().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn applications_keep_their_data() {
        let said = |text: &str| {
            let argv: Vec<&str> = text.split(' ').collect();
            super::command(&argv).is_some()
        };
        for text in [
            "python manage.py flush --noinput",
            "docker compose exec -T web python manage.py flush --noinput",
            "php artisan migrate:fresh --force",
            "bin/rails db:drop db:create",
            "bundle exec rails db:reset",
            "kubectl exec deploy/web -- npx prisma migrate reset --force",
            "npx prisma db push --accept-data-loss",
            "alembic -c a.ini downgrade base",
            "docker run --rm flyway/flyway:11.1.0 clean",
            "manage.py migrate shop zero",
            "./vendor/bin/drush sql:drop -y",
            "wp --path=/srv/a db reset --yes",
            "mongorestore --drop --archive=a",
            "kubeadm reset -f",
        ] {
            assert!(said(text), "{text}");
        }
        for text in [
            "python manage.py migrate --noinput",
            "php artisan migrate --force",
            "php artisan cache:clear",
            "bin/rails db:migrate",
            "npx prisma migrate deploy",
            "alembic upgrade head",
            "echo python manage.py flush",
            "flyway migrate",
            "mc mirror a b",
            "rclone delete a: --dry-run",
        ] {
            assert!(!said(text), "{text}");
        }
    }
}
