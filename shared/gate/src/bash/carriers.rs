//! Words around the command that another one carries: `sudo -u app systemctl restart shop`.

/// The first word that is neither an option nor the value of one; `valued` are the options with a value.
pub(crate) fn operand<'a>(words: &[&'a str], valued: &[&str]) -> Option<&'a str> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if valued.contains(word) {
            words.next();
        } else if !word.starts_with('-') {
            return Some(word);
        }
    }
    None
}

/// The arguments of a carrier without its own options.
pub(super) fn carried<'a, 'b>(
    mut rest: &'a [&'b str],
    valued: &[&str],
    duration: bool,
) -> &'a [&'b str] {
    while let Some(first) = rest.first() {
        if !first.starts_with('-') {
            break;
        }
        let takes = usize::from(valued.contains(first) && rest.len() > 1);
        rest = &rest[1 + takes..];
    }
    if duration && !rest.is_empty() { &rest[1..] } else { rest }
}
