//! Converts a name between the forms that files, types and crates have.

/// `weekly costs` as `Weekly costs`.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `weekly_costs` as `WeeklyCosts`.
pub fn pascal(name: &str) -> String {
    name.split(['-', '_']).map(capitalized).collect()
}

/// `weekly_costs` as `weekly-costs`.
pub fn kebab(name: &str) -> String {
    name.replace('_', "-")
}

/// `weekly-costs` as `weekly_costs`.
pub fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// The lowercase words that Rust keeps for itself: keywords, and words that may become keywords.
const KEYWORDS: &str = "abstract as async await become box break const continue crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct \
    super trait true try type typeof unsafe unsized use virtual where while yield";

/// Whether this is a [name](is_name) that Rust accepts for a variable, a function or a module, with `_` as the joint.
pub fn is_identifier(text: &str, joint: char) -> bool {
    is_name(text, joint) && !KEYWORDS.split(' ').any(|keyword| keyword == text)
}

/// Whether this is a lowercase name whose words are joined by `joint`.
pub fn is_name(text: &str, joint: char) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && !text.ends_with(joint)
        && text.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_has_several_forms() {
        assert_eq!(pascal("weekly_costs"), "WeeklyCosts");
        assert_eq!(pascal("project-states"), "ProjectStates");
        assert_eq!((kebab("a_b").as_str(), snake("a-b").as_str()), ("a-b", "a_b"));
    }

    #[test]
    fn a_keyword_is_not_an_identifier() {
        assert!(is_identifier("typed", '_') && is_identifier("weekly_costs", '_'));
        for keyword in ["type", "try", "gen", "self", "abstract", "yield"] {
            assert!(is_name(keyword, '_') && !is_identifier(keyword, '_'), "{keyword}");
        }
    }

    #[test]
    fn a_name_is_lower_case_and_does_not_end_in_a_separator() {
        assert!(is_name("weekly_costs2", '_') && is_name("project-states", '-'));
        for wrong in ["", "Weekly", "2weeks", "weekly-costs", "weekly_"] {
            assert!(!is_name(wrong, '_'), "{wrong}");
        }
    }
}
