use crate::described::described;
use crate::support::{Chat, Project, fence};

const WISHES: &[&str] = &[
    "A web service named orders on port 9090, use the defaults",
    "An EC2 server in Frankfurt for SSH from 203.0.113.7, use the defaults",
    "A VPS in Helsinki, use the defaults",
    "A VPS in Helsinki with Redis, use the defaults",
    "A VPS with PostgreSQL and a database called orders, use the defaults",
    "A VPS with MySQL and a database called orders, use the defaults",
    "An ELK stack, keep logs 30 days, use the defaults",
    "A monitoring stack that watches https://example.com/health, use the defaults",
    "A monitoring stack that sends its alerts to a webhook, use the defaults",
];

/// The wishes above, and those of the deployments that consist of data alone.
fn wishes() -> Vec<String> {
    let described = described().into_iter().map(|described| described.wish);
    WISHES.iter().map(|wish| wish.to_string()).chain(described).collect()
}

fn line(document: &str) -> &str {
    document.lines().rev().find(|line| line.starts_with("Blueprint:")).expect("a blueprint line")
}

#[tokio::test]
async fn every_document_names_the_chosen_deployment() {
    for wish in wishes() {
        let project = Project::planned(&wish).await;
        assert_eq!(line(&project.requirements), line(&project.architecture));
        assert_eq!(line(&project.requirements), line(&project.implementation));
        for heading in ["## Shape", "## What it costs", "## Durability and backups", "## Risks"] {
            assert!(project.architecture.contains(heading), "{heading}");
        }
        assert!((4..=12).contains(&project.steps.len()));
        for step in &project.steps {
            let (title, prompt) =
                (step["description"].as_str().unwrap(), step["prompt"].as_str().unwrap());
            assert!(title.len() < 60 && prompt.len() > 100, "{title}: {prompt}");
            assert!(project.implementation.contains(title));
        }
    }
}

/// The messages that the page suggests in an agent's chat.
fn suggested(agent: &str) -> Vec<&'static str> {
    let page = include_str!("../../../../web/src/planning/planning-chat.tsx");
    let replies = page.split_once("const REPLIES").expect("the suggestions").1;
    let line = replies.lines().find(|line| line.contains(&format!("{agent:?}: ["))).unwrap();
    line.split_once('[').unwrap().1.split('"').skip(1).step_by(2).collect()
}

#[tokio::test]
async fn every_message_that_the_page_suggests_gets_an_answer() {
    for wish in wishes() {
        let project = Project::planned(&wish).await;
        let chats = [
            ("cloud-architect", Chat::architect as fn() -> Chat),
            ("implementation-planner", Chat::planner),
        ];
        for (agent, chat) in chats {
            let suggested = suggested(agent);
            assert!(suggested.len() > 1, "{agent}: {suggested:?}");
            for message in suggested {
                let asked = format!("{}\n\n{message}", project.documents());
                let answer = chat().user(&asked).ask().await;
                let text = &answer.text;
                assert!(text.len() > 20 && !text.contains("I left the"), "{message}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn no_placeholder_is_left_unfilled() {
    for wish in wishes() {
        let project = Project::planned(&wish).await;
        let mut texts = project.scripts().await;
        texts.extend(project.check_scripts().await);
        let (plan, checks) = project.validation().await;
        texts.push(plan);
        texts.extend(checks.iter().map(|check| check["prompt"].as_str().unwrap().to_string()));
        texts.extend([
            project.requirements.clone(),
            project.architecture.clone(),
            project.implementation.clone(),
        ]);
        texts.extend(project.steps.iter().map(|step| step["prompt"].as_str().unwrap().to_string()));
        for text in texts {
            assert!(!has_placeholder(&text), "{text}");
            assert!(text.len() < 24_000, "the script is too long");
        }
    }
}

pub fn has_placeholder(text: &str) -> bool {
    let parts: Vec<&str> = text.split('@').collect();
    let inner = parts.iter().skip(1).take(parts.len().saturating_sub(2));
    inner
        .into_iter()
        .any(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
}

#[tokio::test]
async fn the_architect_answers_questions_and_changes_its_plan() {
    let project = Project::planned(WISHES[1]).await;
    let documents = format!(
        "{}\n\n{}",
        fence("requirements", &project.requirements),
        fence("architecture_plan", &project.architecture)
    );
    let chat = Chat::architect().user("Generate architecture plan");
    let chat = chat.clone().tool_result(&chat.ask_with_documents(&documents).await, "Written.");

    let asked = chat.clone().user(&format!("{documents}\n\nHow are backups made?")).ask().await;
    assert!(
        asked.call.is_none() && asked.text.contains("Data Lifecycle Manager"),
        "{}",
        asked.text
    );

    let (_, answers) = chat.turn(&format!("{documents}\n\nUse a t4g.small, please")).await;
    assert!(line(answers[0].str("plan")).contains("instance-type t4g.small"));
    let plan = answers[0].str("plan");
    assert!(
        plan.contains("arm64") && plan.contains("`t4g.small` | see AWS's price list"),
        "{plan}"
    );
    // The prices are those of Frankfurt; us-east-1 would cost $0.08.
    assert!(plan.contains("$0.0952 a GB") && !plan.contains("$0.08 "), "{plan}");
    assert_eq!(answers.len(), 2);
}

impl Chat {
    /// Sends the last message after the documents, as the product does.
    async fn ask_with_documents(&self, documents: &str) -> crate::support::Answer {
        let mut chat = self.clone();
        let last = chat.messages.last_mut().unwrap();
        last["content"] = format!("{documents}\n\n{}", last["content"].as_str().unwrap()).into();
        chat.ask().await
    }
}

#[tokio::test]
async fn new_requirements_override_earlier_messages() {
    let old = Project::planned(WISHES[0]).await;
    let new = Project::planned("A web service named shop on port 9292, use the defaults").await;
    let chat = Chat::architect().user("Generate architecture plan");
    let chat = chat.clone().tool_result(
        &chat.ask_with_documents(&fence("requirements", &old.requirements)).await,
        "Written.",
    );
    let (chat, _) =
        chat.turn(&format!("{}\n\nport 9393", fence("requirements", &old.requirements))).await;
    let documents = format!(
        "{}\n\n{}",
        fence("requirements", &new.requirements),
        fence("architecture_plan", &old.architecture)
    );
    let answer = chat.user(&format!("{documents}\n\nGenerate architecture plan")).ask().await;
    assert!(line(answer.str("plan")).contains("name shop · port 9292"));
}

#[tokio::test]
async fn a_request_for_another_deployment_goes_back_to_the_requirements() {
    let project = Project::planned(WISHES[0]).await;
    let answer = Chat::planner()
        .user(&format!("{}\n\nDo it on EC2 instead", project.documents()))
        .ask()
        .await;
    assert!(answer.call.is_none() && answer.text.contains("requirements stage"));
}

#[tokio::test]
async fn requirements_by_another_author_are_read_as_prose() {
    let requirements = "# Goal\nRun a small web service with a health check in the sandbox.\n\n# Software\nPython. Name: billing. Port 9494.";
    let chat = Chat::architect()
        .user(&format!("{}\n\nGenerate architecture plan", fence("requirements", requirements)));
    let answer = chat.ask().await;
    assert!(
        line(answer.str("plan")).contains("name billing · port 9494"),
        "{}",
        answer.str("plan")
    );
}

#[tokio::test]
async fn requirements_that_it_cannot_build_get_no_plan() {
    let requirements = fence("requirements", "# Goal\nA pizza.");
    let answer = Chat::planner()
        .user(&format!("{requirements}\n\nGenerate implementation plan"))
        .ask()
        .await;
    assert!(answer.call.is_none() && answer.text.contains("cannot write"));
}

#[tokio::test]
async fn an_invalid_value_in_a_document_is_ignored() {
    let requirements = "Blueprint: local-web-service · name $(id) · port 1; reboot · greeting `x`";
    let chat = Chat::architect()
        .user(&format!("{}\n\nGenerate architecture plan", fence("requirements", requirements)));
    let answer = chat.ask().await;
    assert!(line(answer.str("plan")).contains("name hello-service · port 8080"));
}

#[tokio::test]
async fn a_change_of_the_architecture_says_that_the_requirements_stay_as_they_were() {
    let project =
        Project::planned("A web service named orders on port 9090, use the defaults").await;
    let context = format!(
        "{}\n{}",
        fence("requirements", &project.requirements),
        fence("architecture_plan", &project.architecture)
    );
    let (_, answers) = Chat::architect().turn(&format!("{context}\n\nuse port 9191 instead")).await;
    assert!(answers[0].str("plan").contains("9191"));
    let said = &answers.last().unwrap().text;
    assert!(said.contains("requirements still say what was agreed before: Port `9090`"), "{said}");
}
