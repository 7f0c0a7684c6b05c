//! What a person reaches on GitHub decides which repositories they see, import and push to here.

use crate::guests::allowed;
use crate::imports::{import, look};
use crate::repositories::{granted, path, push, repository, shown};
use crate::sign_in::choose;
use api_tests::{Actor, Model, World};
use serde_json::Value;

const GUEST: &str = "guest-of-owner";
/// The organization that [`choose`] chooses second.
const ORGANIZATION: &str = "several-ann-labs";

/// Chooses on GitHub what a person may do in a repository.
async fn admits(owner: &Actor, repository: &str, login: &str, permission: &str) {
    let page = owner.app().url(&format!("/_local/github/{repository}/access"));
    owner.submit(&page, &[("login", login), ("permission", permission)]).await.is(302);
}

fn names(listed: &Value) -> Vec<&str> {
    let listed = listed["repositories"].as_array().unwrap().iter();
    listed.map(|one| one["full_name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_guest_reaches_here_only_the_repositories_that_they_reach_at_github() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let (open, closed) = (repository(&owner, "open").await, repository(&owner, "closed").await);
    granted(&owner).await;
    let project = owner.project("Shared").await;
    project.execute(&["mkdir -p app; echo hi > app/run.sh"]).await;
    project.complete(1).await;
    let guest = allowed(&owner).await;
    admits(&owner, &open, GUEST, "read").await;

    assert_eq!(names(&owner.get("/repositories").await.is(200).json()), [&closed, &open]);
    assert_eq!(names(&guest.get("/repositories").await.is(200).json()), [&open]);
    for call in [format!("?repository={closed}"), format!("/{closed}/files?branch=main")] {
        owner.get(&format!("/repositories{call}")).await.is(200);
        guest.get(&format!("/repositories{call}")).await.refuses(404, "not_found");
    }
    // The owner has seen the files, and the guest knows their digest.
    let seen = look(&owner, &closed, "main").await.is(200).json();
    let theirs = guest.project("Theirs").await;
    import(&theirs, &seen).await.refuses(404, "not_found");

    // A reader may import but not push, and is offered no repository to push to.
    let pushes = guest.project_of(&project);
    let all = path(&pushes, "/repositories");
    assert_eq!(names(&project.get(&all).await.is(200).json()), [&closed, &open]);
    assert_eq!(names(&pushes.get(&all).await.is(200).json()), [] as [&str; 0]);
    let leaving = shown(&pushes).await;
    push(&pushes, &open, &leaving).await.refuses(409, "repository_read_only");
    let unknown = push(&pushes, "owner/never-made", &leaving).await.refuses(409, "repository_gone");
    assert_eq!(push(&pushes, &closed, &leaving).await.refuses(409, "repository_gone"), unknown);
    import(&theirs, &look(&guest, &open, "main").await.is(200).json()).await.is(200);

    admits(&owner, &closed, GUEST, "write").await;
    push(&pushes, &closed, &leaving).await.is(200);
    admits(&owner, &closed, GUEST, "none").await;
    push(&pushes, &closed, &leaving).await.refuses(409, "repository_gone");
    push(&project, &closed, &leaving).await.is(200);
}

#[tokio::test]
async fn a_member_of_an_organization_reaches_only_their_own_repositories_of_it() {
    let World { visitor, .. } = World::start().await;
    let member = visitor.claiming(Some(choose(&visitor, 1).await));
    let make = async |name: &str| {
        let page = member.app().url("/_local/github/new");
        member.submit(&page, &[("owner", ORGANIZATION), ("name", name)]).await.is(302);
        format!("{ORGANIZATION}/{name}")
    };
    let (open, closed) = (make("open").await, make("closed").await);
    granted(&member).await;
    admits(&member, &closed, "several-ann", "none").await;
    assert_eq!(names(&member.get("/repositories").await.is(200).json()), [&open]);
    look(&member, &open, "main").await.is(200);
    look(&member, &closed, "main").await.refuses(404, "not_found");
}
