//! Recognizes what stands in documentation.

/// Whether the text around a key says that it is one of a documentation.
pub(crate) fn is_documented(before: &str, after: &str) -> bool {
    const SAID: [&str; 8] = [
        " docs ",
        "documentation",
        "example",
        "dokumentation",
        "beispiel",
        "ejemplo",
        "documentación",
        "exemple",
    ];
    let said = |text: &str| {
        let lower = text.to_lowercase();
        SAID.iter().any(|said| lower.contains(said))
    };
    said(before) || said(after)
}
