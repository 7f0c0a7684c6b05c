//! Checks that HTTP clients call only the address that they were given, and follow no redirects.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{repository, tracked};

/// How many lines may separate the creation of a client from the line that turns redirects off.
const NEAR: usize = 2;

#[test]
fn no_client_of_a_function_follows_redirects() {
    let code = |path: &String| {
        let place = ["functions/", "shared/"].iter().any(|folder| path.starts_with(folder));
        place && path.ends_with(".rs") && path.contains("/src/")
    };
    let (mut clients, mut following) = (0, Vec::new());
    for path in tracked().into_iter().filter(code) {
        let text = std::fs::read_to_string(repository().join(&path)).unwrap();
        let lines: Vec<_> = text.lines().collect();
        for (n, line) in lines.iter().enumerate() {
            assert!(!line.contains("Client::new()"), "{path}: a client with default settings");
            // genai's client is given one of this repository's.
            let ours = !line.contains(".with_reqwest(");
            if ours && line.contains("Client::builder()") {
                clients += 1;
                let near = &lines[n..lines.len().min(n + NEAR)];
                if !near.iter().any(|line| line.contains(".redirect(Policy::none())")) {
                    following.push(format!("{path}:{}", n + 1));
                }
            }
        }
    }
    assert!(clients >= 2, "that of Stripe and GitHub, and the model's: {clients}");
    assert!(following.is_empty(), "{}", following.join("\n"));
}
