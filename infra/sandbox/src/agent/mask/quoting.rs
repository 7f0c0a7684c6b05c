//! How shells, languages and markup quote text.

/// How markup writes its own signs in a text.
const MARKUP: [(char, &str); 3] = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;")];

/// The text in each of the quoted forms.
pub fn of(text: &str) -> Vec<String> {
    let mut forms = shell(text);
    forms.extend(languages(text));
    forms.extend(markup(text));
    forms
}

/// The text with every byte escaped except those that `kept` accepts.
pub fn escaped(text: &str, kept: impl Fn(u8) -> bool, write: impl Fn(u8) -> String) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if kept(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&write(byte));
        }
    }
    out
}

/// The text with some characters replaced.
fn replaced(text: &str, pairs: &[(char, &str)]) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match pairs.iter().find(|(from, _)| *from == c) {
            Some((_, to)) => out.push_str(to),
            None => out.push(c),
        }
    }
    out
}

/// `set -x`, `printf %q`, `declare -p`, `$'…'`.
fn shell(text: &str) -> Vec<String> {
    /// The characters that bash escapes with a backslash, and those that it escapes at the start of a word or in an
    /// assignment.
    const SPECIAL: &str = " \t!\"$&'()*,;<>?[\\]^`{|}";
    let backslashed = |also: &str| {
        let mut out = String::new();
        for c in text.chars() {
            if SPECIAL.contains(c) || also.contains(c) {
                out.push('\\');
            }
            out.push(c);
        }
        out
    };
    let first = match text.chars().next() {
        Some('#' | '~') => format!("\\{}", backslashed("")),
        _ => backslashed(""),
    };
    let double = replaced(text, &[('"', "\\\""), ('\\', "\\\\"), ('$', "\\$"), ('`', "\\`")]);
    let control = |c: char| match c {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        '\'' => "\\'".to_owned(),
        '\\' => "\\\\".to_owned(),
        c if c.is_control() => format!("\\{:03o}", u32::from(c)),
        c => c.to_string(),
    };
    let dollar: String = text.chars().map(control).collect();
    let octal = escaped(&dollar, |b| b.is_ascii(), |b| format!("\\{b:03o}"));
    vec![
        text.replace('\'', "'\\''"),
        text.replace('\'', "'\"'\"'"),
        first,
        backslashed("="),
        backslashed("~#=%@:+"),
        double,
        dollar,
        octal,
    ]
}

/// JSON, Python, YAML, SQL, HCL.
fn languages(text: &str) -> Vec<String> {
    let json = json(text);
    let ascii: String = json.chars().map(|c| unicode(c, 'u')).collect();
    let html =
        replaced(&json, &[('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\'', "\\u0027")]);
    let slashes = text.replace('\\', "\\\\");
    let python = replaced(&slashes, &[('\n', "\\n"), ('\t', "\\t"), ('\r', "\\r")]);
    let bytes = escaped(&python, |b| b.is_ascii(), |b| format!("\\x{b:02x}"));
    let code = |c: char| match u32::from(c) {
        0x80..=0xff => format!("\\x{:02x}", u32::from(c)),
        _ => unicode(c, 'u'),
    };
    let python_ascii: String = python.chars().map(code).collect();
    vec![
        json.replace('/', "\\/"),
        json.replace("${", "$${").replace("%{", "%%{"),
        self::json(&json),
        json.clone(),
        ascii,
        html,
        python.replace('\'', "\\'"),
        bytes.replace('\'', "\\'"),
        bytes,
        python_ascii.replace('\'', "\\'"),
        python_ascii,
        python,
        // YAML and SQL double the quote.
        text.replace('\'', "''"),
        slashes.replace('\'', "''"),
    ]
}

/// How scripts and files most often quote a text: between single quotes of a shell or of YAML, or in markup.
pub fn in_files(text: &str) -> [String; 3] {
    [text.replace('\'', "'\\''"), text.replace('\'', "''"), replaced(text, &MARKUP)]
}

/// A character above ASCII, as JSON for ASCII-only readers escapes it.
fn unicode(c: char, mark: char) -> String {
    if c.is_ascii() {
        return c.to_string();
    }
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\{mark}{unit:04x}")).collect()
}

/// As a JSON string holds it.
pub fn json(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}

/// XML, HTML, quoted-printable.
fn markup(text: &str) -> Vec<String> {
    let with = |double: &'static str, single: &'static str| {
        let mut pairs = MARKUP.to_vec();
        pairs.extend([('"', double), ('\'', single)].into_iter().filter(|(_, to)| !to.is_empty()));
        replaced(text, &pairs)
    };
    let printable = |b: u8| b.is_ascii() && b != b'=';
    vec![
        with("", ""),
        with("&quot;", ""),
        with("&quot;", "&apos;"),
        with("&quot;", "&#39;"),
        with("&quot;", "&#x27;"),
        with("&quot;", "&#039;"),
        with("&#34;", "&#39;"),
        escaped(text, printable, |b| format!("={b:02X}")),
    ]
}
