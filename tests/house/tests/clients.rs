//! Checks that HTTP clients call only the address that they were given, follow no redirects, and read answers up to a
//! bound.
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
            if line.contains("Client::builder()") {
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

/// Ways to read a body that have no bound of their own.
const UNBOUNDED: [&str; 7] = [
    ".json().await",
    ".json::<",
    ".text().await",
    ".text_with_charset(",
    ".bytes().await",
    ".collect().await",
    "usize::MAX).await",
];

/// Reads of bodies whose length was compared with a bound before, and other things than bodies.
const BOUNDED: [(&str, &str); 1] =
    [("shared/flows/src/previewing.rs", "false => Ok(object.body.collect().await),")];

#[test]
fn no_answer_of_another_party_is_read_without_a_bound() {
    let code = |path: &String| {
        let place =
            ["functions/", "shared/", "infra/sandbox/"].iter().any(|one| path.starts_with(one));
        place && path.ends_with(".rs") && path.contains("/src/") && !path.ends_with("tests.rs")
    };
    let (mut reads, mut known) = (Vec::new(), 0);
    for path in tracked().into_iter().filter(code) {
        let text = std::fs::read_to_string(repository().join(&path)).unwrap();
        let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for (number, line) in product.lines().map(str::trim).enumerate() {
            // A list of futures or a stream of our own is not a body.
            let is_comment = line.starts_with("//");
            if is_comment || !UNBOUNDED.iter().any(|way| line.contains(way)) {
                continue;
            }
            match BOUNDED.contains(&(path.as_str(), line)) {
                true => known += 1,
                false => reads.push(format!("{path}:{}: {line}", number + 1)),
            }
        }
    }
    assert_eq!(known, BOUNDED.len(), "a read that is listed here is gone");
    assert!(
        reads.is_empty(),
        "read these up to a bound, as `read_json` does:\n{}",
        reads.join("\n")
    );
}
