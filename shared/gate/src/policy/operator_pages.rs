//! Finds pages of a server that everyone may open although they are for its operators: hidden files, its status, its
//! numbers.

use crate::check::error;
use crate::files::Written;
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// What the path of such a page contains.
const PAGES: [&str; 14] = [
    "/\\.",
    "/admin",
    "/metrics",
    "/phpmyadmin",
    "/server-info",
    "/server-status",
    "/stub_status",
    "\\.(bak",
    "\\.env",
    "\\.git",
    "\\.ht",
    "\\.sql",
    "nginx_status",
    "php-status",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        for line in nginx(file).into_iter().chain(apache(file)) {
            let message = "This lets everyone open pages that are meant for administrators.";
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
}

fn is_kept(path: &str) -> bool {
    PAGES.iter().any(|page| path.contains(page)) && !path.contains("well-known")
}

/// `allow all` in such an nginx location.
fn nginx(file: &Written) -> Vec<usize> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut inside: Option<usize> = None;
    for (at, line) in file.text.lines().enumerate() {
        let code = line.trim();
        if code.starts_with('#') {
            continue;
        }
        let path = code.strip_prefix("location ").and_then(|rest| rest.rsplit_once('{'));
        if let Some((path, _)) = path.filter(|_| inside.is_none()) {
            inside = is_kept(path).then_some(depth);
        }
        let one = code.split([';', '{', '}']).any(|part| part.trim() == "allow all");
        if one && inside.is_some() {
            found.push(at + 1);
        }
        depth += code.matches('{').count();
        depth = depth.saturating_sub(code.matches('}').count());
        if inside.is_some_and(|above| depth <= above) {
            inside = None;
        }
    }
    found
}

/// `Require all granted` in such a section of Apache.
fn apache(file: &Written) -> Vec<usize> {
    let mut inside = false;
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let code = line.trim();
        let section = ["<Files", "<Location", "<Directory"].iter().any(|tag| code.starts_with(tag));
        let hidden = ["\\.", ".ht", ".env", ".git"].iter().any(|part| code.contains(part));
        if section {
            inside = is_kept(code) || (code.starts_with("<Files") && hidden);
        } else if code.starts_with("</") {
            inside = false;
        } else if inside && code.eq_ignore_ascii_case("require all granted") {
            found.push(at + 1);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn kept_pages_stay_closed() {
        let said = |text: &str| {
            let text = format!("cat >/etc/nginx/conf.d/a.conf <<'E'\n{text}\nE\n");
            crate::testing::said(super::examine, &text).len()
        };
        for text in [
            "location ~ /\\. {\n  allow all;\n}",
            "location = /nginx_status { stub_status; allow all; }",
            "location /metrics {\n  allow all;\n}",
            "<FilesMatch \"^\\.ht\">\n  Require all granted\n</FilesMatch>",
            "<Location \"/server-status\">\n  Require all granted\n</Location>",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "location ~ /\\. {\n  deny all;\n}",
            "location ^~ /.well-known/ {\n  allow all;\n}",
            "location ~ /\\.(?!well-known) {\n  deny all;\n}\nlocation / {\n  allow all;\n}",
            "<Directory /var/www>\n  Require all granted\n</Directory>",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
