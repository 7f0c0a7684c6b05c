//! Each function gets the variables that its code reads, and no others.
use deploy_tests::{Template, source};
use std::collections::BTreeSet;

/// Read in place of another variable: the template sets the secret's id.
const STAND_INS: [&str; 2] = ["MODEL_API_KEY", "MODEL_FALLBACK_API_KEY"];

#[test]
fn every_function_gets_the_variables_its_code_reads_and_no_more() {
    let template = Template::load();
    let everybody: BTreeSet<String> =
        template.section("Globals")["Function"]["Environment"]["Variables"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
    let mut wrong = Vec::new();
    for function in template.functions() {
        let needs = source::needs(function.name());
        let given: BTreeSet<String> = function.variables().into_iter().map(str::to_owned).collect();
        let missing = needs.required.iter().filter(|name| !STAND_INS.contains(&name.as_str()));
        let missing: Vec<_> = missing.filter(|name| !given.contains(*name)).collect();
        let read =
            |name: &&String| needs.required.contains(*name) || needs.optional.contains(*name);
        let idle: Vec<_> = given.difference(&everybody).filter(|name| !read(name)).collect();
        if !missing.is_empty() || !idle.is_empty() {
            wrong.push(format!("{}: not given {missing:?}, never read {idle:?}", function.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
