//! Reads the commands that a program runs once it has a certificate.

/// Options whose value is a command that runs once a certificate is there.
const HOOKS: [&str; 5] =
    ["--deploy-hook", "--post-hook", "--pre-hook", "--reloadcmd", "--renew-hook"];

/// What a command runs once it has a certificate.
pub(super) fn hooked(argv: &[&str]) -> Option<String> {
    let next = argv.windows(2).filter(|two| HOOKS.contains(&two[0])).map(|two| two[1]);
    let joined = argv.iter().filter_map(|word| word.split_once('='));
    let joined = joined.filter(|(name, _)| HOOKS.contains(name)).map(|(_, command)| command);
    let commands: Vec<&str> = next.chain(joined).collect();
    (!commands.is_empty()).then(|| commands.join("\n"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn hooks_are_scripts() {
        for (text, inner) in [
            ("certbot renew --deploy-hook 'systemctl reload nginx'", "systemctl reload nginx"),
            (
                "certbot certonly -d a --post-hook='docker compose restart b'",
                "docker compose restart b",
            ),
            ("acme.sh --install-cert -d a --reloadcmd 'service c reload'", "service c reload"),
        ] {
            let found = super::super::read(text).inner();
            assert_eq!(found, [(1, inner.to_owned())], "{text}");
        }
        assert_eq!(super::super::read("certbot renew --quiet").inner(), []);
    }
}
