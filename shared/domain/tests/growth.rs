//! Readers of untrusted text take time in proportion to its length.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use domain::saved_plan::SavedPlan;
use domain::{requirement, script, shellcheck, terraform_state};
use growth::{assert_linear, repeated};

/// The shorter length of a text, in bytes.
const BYTES: usize = 16 * 1024;

#[test]
fn scripts_and_documents_are_read_in_linear_time() {
    let proof = format!("{}\n", script::PROOF_LINE);
    for piece in [
        "\n",
        "# ",
        "#\n",
        "|a|b|\n",
        "## Requirements\n",
        "- R1\n",
        "`",
        "terraform apply tfplan\n",
        "sha256",
        "a\n",
        &proof,
    ] {
        let make = |bytes| repeated(piece, bytes);
        assert_linear(piece, BYTES, make, |text| {
            std::hint::black_box((script::parts(text), script::plans_of(text).count()));
        });
        assert_linear(piece, BYTES, make, |text| {
            std::hint::black_box(requirement::section_in(text, requirement::HEADING, "a"));
        });
    }
}

#[test]
fn tools_reports_are_read_in_linear_time() {
    let resource = r#"{"mode":"managed","type":"a","name":"b","instances":[{"attributes":{"id":"x","public_ip":"1.2.3.4"}}]},"#;
    let change = r#"{"address":"a.b","type":"a","name":"b","change":{"actions":["create"],"before":null,"after":{"a":"b"}}},"#;
    let comment = r#"{"file":"-","line":1,"column":1,"level":"error","code":2086,"message":"m"},"#;
    for piece in [resource, change, comment, "[", "{\"a\":", "\"", "\\\"", "1", "null,", " "] {
        let list = |field: &str| {
            let field = field.to_owned();
            move |bytes: usize| {
                let items = repeated(piece, bytes / piece.len() * piece.len());
                format!("{{\"{field}\":[{}]}}", items.trim_end_matches(','))
            }
        };
        assert_linear(piece, BYTES, list("resources"), |text| {
            std::hint::black_box(terraform_state::listed(text.as_bytes()));
        });
        assert_linear(piece, BYTES, list("resource_changes"), |text| {
            std::hint::black_box(SavedPlan::of(String::new(), Some(text.as_bytes())));
        });
        assert_linear(piece, BYTES, list("comments"), |text| {
            std::hint::black_box(shellcheck::findings(text, None, 0));
        });
    }
}
