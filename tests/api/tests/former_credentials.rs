//! Credentials that others replaced: outputs hide them as long as possible.

use api_tests::{Model, World};
use serde_json::json;
use store::StoreError;
use store::credentials::{Credentials, SealedSet};

const CREDENTIALS: &str = "/planning/credentials";

#[tokio::test]
async fn a_value_that_a_form_replaced_stays_hidden_until_it_is_removed() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let (old, new) = ("Zk9!rT3xQ-before", "Wp4!sN8yU-after");
    for value in [old, new] {
        let values = json!({"values": {"DB_PASSWORD": value}});
        project.put(&format!("{CREDENTIALS}/other"), values).await.is(204);
    }
    let kept = project.get(CREDENTIALS).await.is(200).json();
    assert_eq!(kept[0]["names"], json!(["DB_PASSWORD"]));
    project.sandbox_is_up().await;
    let (head, tail) = old.split_at(4);
    let said = format!(
        "printf '%s%s\\n' '{head}' '{tail}' > old.txt; cat old.txt; printenv | grep -c \"$(cat old.txt)\" || true"
    );
    project.execute(&[&said]).await;
    assert_eq!(project.complete(1).await.output, "***\n0\n");
}

#[tokio::test]
async fn a_replaced_value_that_kms_cannot_open_holds_up_no_command() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let (project, elsewhere) = (owner.project("Moved").await, owner.project("Elsewhere").await);
    let at = format!("{CREDENTIALS}/other");
    elsewhere.put(&at, json!({"values": {"DB_PASSWORD": "sealed-elsewhere"}})).await.is(204);
    // What another region's key has sealed. KMS refuses another project's data key, too.
    let credentials = Credentials::new(&app.table());
    let foreign = credentials.list(elsewhere.scope()).await.unwrap().remove(0);
    let may = |_: &[SealedSet]| Ok::<_, StoreError>(());
    let copied = credentials.replace(project.scope(), foreign.provider, &foreign.values, may);
    copied.await.unwrap();

    let values = json!({"DB_PASSWORD": "entered-once-more"});
    project.put(&at, json!({"values": values})).await.is(204);
    project.execute(&["echo ${#DB_PASSWORD} $DB_PASSWORD"]).await;
    assert_eq!(project.complete(1).await.output, "17 ***\n");
}
