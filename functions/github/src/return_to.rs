//! Checks the place in the application to return to after a sign-in.

use crate::github::with_query;

/// The longest accepted address, in bytes; the application's own are far shorter.
const MAX_BYTES: usize = 500;

/// The path, if it belongs to the application; any other path could lead to another site.
///
/// It begins with `/app` and contains no character that makes a browser read a host: no backslash, no white space, no
/// control character. So it stays within this site.
pub(crate) fn own_path(wanted: &str) -> Option<&str> {
    let rest = wanted.strip_prefix("/app")?;
    let begins = rest.is_empty() || rest.starts_with(['/', '?', '#']);
    let plain = wanted.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    (begins && plain && wanted.len() <= MAX_BYTES).then_some(wanted)
}

/// `url` with the place to return to in its query.
pub(crate) fn with_return(url: &str, return_to: Option<&str>) -> String {
    match return_to {
        Some(path) => with_query(url, &[("return_to", path)]),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_applications_own_paths_are_accepted() {
        for path in ["/app", "/app/7", "/app/7/costs?returnTo=home", "/app?x=//evil.test", "/app#a"]
        {
            assert_eq!(own_path(path), Some(path));
        }
        let long = format!("/app/{}", "7".repeat(MAX_BYTES));
        for path in [
            "",
            "/",
            "//evil.test",
            "/apple",
            "/app.evil.test",
            "/app@evil.test",
            "app",
            "https://evil.test/app",
            "/\\evil.test",
            "/app/\\evil.test",
            "/app/\r\nSet-Cookie:x",
            "/app/ x",
            "/app/\u{e9}",
            long.as_str(),
        ] {
            assert_eq!(own_path(path), None, "{path:?}");
        }
    }

    #[test]
    fn the_return_path_is_encoded_as_one_query_value() {
        let page = "https://crew.test/github-success?installation_id=1";
        assert_eq!(
            with_return(page, Some("/app/7?a=1&error=x#b")),
            format!("{page}&return_to=%2Fapp%2F7%3Fa%3D1%26error%3Dx%23b")
        );
        assert_eq!(with_return(page, None), page);
    }
}
