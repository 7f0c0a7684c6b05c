//! Finds passwords after the slash of `user/password` where people say how signing in went, or sign in with the pair.

use super::quotes::LOGINS;
use super::{COMPARED_BYTES, Line, fits, is_made_up, trim};
use crate::weight::{Weight, weigh};
use crate::words::lists;
use std::ops::Range;

/// Words about an attempt to sign in, right after the pair.
const VERDICTS: &str = "works work worked working fails failed rejected refused denied wrong correct accepted not doesnt \
     funktioniert geht ging klappt klappte abgelehnt falsch richtig nicht stimmt funciona funcionan entra rechazado falla vale \
     marche marchent fonctionne passe refusé refusée échoue";
/// Words between the pair and the verdict.
const BETWEEN: &str = "still also is was gets got does did no longer now wird wurde noch auch ist immer sí si no ya ne est n'est toujours \
     sigue fue es";
const BETWEEN_WORDS: usize = 3;
/// The first parts of paths, branches and names of images, which are not users.
const FOLDERS: &str = "feature features feat bugfix fix fixes hotfix hotfixes release releases chore docs doc test tests refactor ci cd \
     build perf style dependabot renovate wip dev main master origin upstream remotes heads tags refs library docker hub images image img \
     assets static public pages page src lib libs app apps bin etc var opt srv home tmp usr data db api web www config configs conf \
     scripts script ssh modules module roles playbooks templates terraform ansible kubernetes k8s charts chart nginx node python php java \
     components views models controllers services service auth router routes store hooks utils helpers internal pkg cmd vendor plugins \
     themes media uploads downloads files file backups logs log tcp udp http https and or read input client server";
/// Words for what a path or a name leads to.
const PLACES: &str = "branch branches repo repository path folder directory file files page route url image images tag package module \
     pull push merge merged checkout commit deploy deployed build builds version versions ratio endpoint zweig pfad ordner verzeichnis \
     datei dateien seite abbild paket rama ruta carpeta archivo página imagen paquete branche chemin dossier fichier image paquet";
/// Words for signing in, besides [`LOGINS`].
const ENTERS: &str = "connect connects entro entra entrar acceso acceder accès accéder access credentials creds melde zugang login";
/// Words right before a pair.
const TIES: &str = "as with is are mit als ist lautet con como es avec est comme using";
/// The most slashes of a line that are looked at.
const PAIRS: usize = 6;
/// The shortest password, in bytes, and the longest name of a user.
const LEAST_BYTES: usize = 6;
const USER_BYTES: Range<usize> = 2..21;

struct Pair<'a> {
    user: &'a str,
    password: &'a str,
    before: &'a str,
    after: &'a str,
}

/// `anna/X works, bob/Y does not`, `I log in with backup/X`
pub(super) fn pairs(line: &Line) -> Vec<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return Vec::new();
    }
    let slashes = line.text.match_indices('/').take(PAIRS);
    let pairs: Vec<_> = slashes.filter_map(|(at, _)| pair(line.text, at)).collect();
    if pairs.is_empty() || line.words().any(|word| lists(PLACES, &bare(word))) {
        return Vec::new();
    }
    let judged: Vec<_> = pairs.iter().filter(|pair| is_judged(pair)).collect();
    // Of one owner, they are repositories: `acme/Widget_2 works, acme/Widget_3 does not`.
    let several = judged.windows(2).any(|two| two[0].user != two[1].user);
    let enters = LOGINS.iter().any(|login| line.lower.contains(login))
        || line.lower.split([' ', '\'', '’']).any(|word| lists(ENTERS, &bare(word)));
    let found = pairs.iter().filter(|pair| {
        let told = is_judged(pair) && (several || enters || weigh(pair.password) >= Weight::Fair);
        told || (enters && is_tied(pair))
    });
    found.map(|pair| line.span(pair.password)).collect()
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// The user and the password around a slash.
fn pair(text: &str, at: usize) -> Option<Pair<'_>> {
    let (head, rest) = (text.get(..at)?, text.get(at + 1..)?);
    let user = head.rsplit([' ', '\t', '(', '"', '\'', '`', '„', '«']).next()?;
    let word = rest.split([' ', '\t', ')', '"', '`', '“', '»']).next()?;
    let password = word.trim_end_matches([',', ';', '.', '?', ':']);
    let named = user.starts_with(|c: char| c.is_ascii_alphabetic())
        && user.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        && USER_BYTES.contains(&user.len())
        && user.chars().filter(char::is_ascii_alphabetic).count() >= USER_BYTES.start
        && !lists(FOLDERS, &user.to_lowercase());
    let digit = password.contains(|c: char| c.is_ascii_digit());
    let signed = password.contains(['_', '#', '!', '$', '%', '&', '*', '+', '^', '~']);
    let own = password.len() >= LEAST_BYTES
        && !password.trim_end_matches('=').contains(['/', '\\', '=', '<', '{', ':', '.'])
        && (weigh(password) >= Weight::Fair || (digit && signed))
        && is_made_up(password)
        && trim(password) == password
        && fits(password);
    let before = &head[..head.len() - user.len()];
    (named && own).then(|| Pair { user, password, before, after: &rest[password.len()..] })
}

/// Whether the next words say that the pair worked, or that it did not.
fn is_judged(pair: &Pair) -> bool {
    if pair.after.starts_with([',', ';', '.']) {
        return false;
    }
    let mut words = pair.after.split_whitespace().take(BETWEEN_WORDS + 1).map(bare);
    let verdict = words.find(|word| !lists(BETWEEN, word));
    let denied = || {
        let first = pair.after.split_whitespace().next().map(bare).unwrap_or_default();
        ["no", "non"].contains(&first.as_str())
    };
    verdict.is_some_and(|word| {
        lists(VERDICTS, &word) || word.ends_with("n't") || word.ends_with("n’t")
    }) || denied()
}

/// Whether a word or a colon right before the pair ties it to signing in.
fn is_tied(pair: &Pair) -> bool {
    let before = pair.before.trim_end();
    before.ends_with(':')
        || before.split_whitespace().next_back().is_some_and(|word| lists(TIES, &bare(word)))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn the_password_of_a_pair_that_worked_or_not_is_found() {
        seals(&[
            ("anna/Kx7mQ2vT works, bob/Tz9rW4nL does not", &["Kx7mQ2vT", "Tz9rW4nL"]),
            (
                "carol/Sunny_Day42 still works but dave/Rain_17 is rejected",
                &["Sunny_Day42", "Rain_17"],
            ),
            ("paul/Tiger#2041 geht, lisa/Panther#77 wird abgelehnt", &["Tiger#2041", "Panther#77"]),
            ("jose/Cielo2024! sí entra, maria/Luna_99 no entra", &["Cielo2024!", "Luna_99"]),
            ("luc/Soleil_88 passe, marie/Neige_21 est refusé", &["Soleil_88", "Neige_21"]),
            ("je me connecte avec backup/Chene_77", &["Chene_77"]),
            ("el acceso al NAS es backup/Roble_77", &["Roble_77"]),
        ]);
    }

    #[test]
    fn paths_branches_and_images_stay() {
        for text in [
            "feature/Foo_77 works, bugfix/Bar_12 does not",
            "acme/Widget_22 works, acme/Widget_23 does not",
            "nginx/1.25 works, nginx/1.27 does not",
            "log in and check out feature/Foo_77",
            "Zugang zum Branch team/Foo_77",
            "after login the app shows anna/Home_22 on the page",
            "read/write works, CI/CD does not",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
