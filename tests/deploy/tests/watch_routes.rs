//! `cargo lambda watch` serves the same routes as the REST API does.
use deploy_tests::{Template, text};
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
