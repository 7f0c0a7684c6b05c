//! `cargo lambda watch` serves the same routes as the REST API does, each from the function that declares it.
use deploy_tests::source::sources;
use deploy_tests::{Template, folders, repository, text};
use std::collections::BTreeMap;

#[test]
fn the_watch_router_sends_each_path_where_the_rest_api_does() {
    let manifest: toml::Table = text("Cargo.toml").parse().unwrap();
    let router = &manifest["workspace"]["metadata"]["lambda"]["watch"]["router"];
    let watched: BTreeMap<String, String> = router
        .as_table()
        .unwrap()
        .iter()
        .map(|(path, function)| (path.clone(), function.as_str().unwrap().to_owned()))
        .collect();
    let mut deployed = BTreeMap::new();
    for function in Template::load().functions() {
        for route in function.routes() {
            deployed.insert(route.path, function.name().to_owned());
        }
    }
    assert_eq!(watched, deployed);
}

#[test]
fn the_tag_of_each_call_names_the_function_that_declares_it() {
    let mut calls = 0;
    for function in folders("functions") {
        let source = sources(&repository().join("functions").join(&function).join("src"));
        for call in source.split("#[utoipa::path(").skip(1) {
            let (_, tag) = call.split_once("tag = \"").expect("a tag");
            let path = call.split('"').nth(1);
            assert_eq!(tag.split('"').next(), Some(function.as_str()), "{path:?}");
            calls += 1;
        }
    }
    assert!(calls > 100, "{calls}");
}
