//! The blueprint model passes its trial, and a model that is careless in one respect fails in the row for that respect.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod careless;

use agents::{Model, ModelConfig, Provider, ReplySettings, TrialRow, Verdict, trial};
use careless::Habit;
use eval::check::{Sum, sum, table};

async fn rows_of(habit: Habit) -> Vec<TrialRow> {
    let replies = match habit {
        Habit::RefusesTemperature => ReplySettings::parse("", "0.2", "").unwrap(),
        _ => ReplySettings::default(),
    };
    let base_url = careless::serve(habit).await;
    let name = blueprint_model::MODEL_ID;
    let config = ModelConfig::new(Provider::OpenAi, name, Some(&base_url), "none");
    trial(&Model::new(config.with_replies(replies)).unwrap()).await
}

fn verdict<'a>(rows: &'a [TrialRow], what: &str) -> (Verdict, &'a str) {
    let row = rows.iter().find(|row| row.what == what).unwrap_or_else(|| panic!("no row {what}"));
    (row.verdict, &row.note)
}

#[tokio::test]
async fn agents_work_with_the_blueprint_model() {
    let rows = rows_of(Habit::None).await;
    assert_eq!(sum(&rows), Sum::Usable, "{}", table("blueprint", &rows));
    let limited: Vec<_> = rows.iter().filter(|row| row.verdict == Verdict::Limited).collect();
    let limited: Vec<_> = limited.iter().map(|row| row.what).collect();
    assert_eq!(limited, ["Several tools in one reply", "Repeated input is cached"]);
}

#[tokio::test]
async fn each_row_names_the_model_that_is_careless_in_it() {
    use Verdict::{Broken, Limited};
    let cases = [
        (Habit::BreaksOff, "The model answers", Broken, "Interrupted"),
        (Habit::RefusesKey, "The model answers", Broken, "status 401"),
        (Habit::Silent, "The model answers", Broken, "it was to count to 60"),
        (Habit::RefusesTemperature, "Its settings are accepted", Broken, "MODEL_TEMPERATURE=0.2"),
        (Habit::SmallReplies, "Its settings are accepted", Broken, "it answers with 8000"),
        (Habit::NoSystem, "The system prompt is obeyed", Broken, "instructions"),
        (Habit::OnePiece, "Replies stream", Limited, "in 1 piece"),
        (Habit::CallsAsText, "Tools are called", Broken, "as text"),
        (Habit::BrokenJson, "Arguments arrive unchanged", Broken, "not JSON"),
        (Habit::NumbersAsText, "Arguments arrive unchanged", Limited, "meant"),
        (Habit::LosesBackslashes, "Arguments arrive unchanged", Broken, "`command` arrived as"),
        (Habit::Ascii, "Unicode arrives unchanged", Broken, "arrived as"),
        (Habit::ForgetsResults, "Results of tools are used", Broken, "does not read"),
        (Habit::RefusesForce, "A tool can be forced", Limited, "refused"),
        (Habit::IgnoresForce, "A tool can be forced", Limited, "ignored"),
        (Habit::Fences, "Scripts come as they run", Limited, "Markdown"),
        (Habit::IgnoresCap, "A reply ends at its longest", Broken, "may write 1500"),
        (Habit::HidesCap, "A reply ends at its longest", Broken, "hides"),
        (Habit::ShortMemory, "A long input is read", Broken, "forgets the beginning"),
        (Habit::SmallWindow, "A long input is read", Limited, "too long"),
        (Habit::Gullible, "Orders in data are ignored", Broken, "obeys"),
        (Habit::ThinksAloud, "Thoughts are kept apart", Limited, "in the middle"),
        (Habit::NoUsage, "Tokens are counted", Limited, "estimated"),
        (Habit::WrongUsage, "Tokens are counted", Broken, "cannot be"),
    ];
    for (habit, what, expected, word) in cases {
        let rows = rows_of(habit).await;
        let (found, note) = verdict(&rows, what);
        let table = table(&format!("{habit:?}"), &rows);
        assert!(found == expected && note.contains(word), "{habit:?}, {what}: {note}\n{table}");
        let usable = if expected == Broken { Sum::NotUsable } else { Sum::Usable };
        assert_eq!(sum(&rows), usable, "{table}");
    }
}

#[tokio::test]
async fn a_row_that_the_blueprint_model_fails_passes_with_a_model_that_can_do_it() {
    for habit in [Habit::Both, Habit::SharedIds] {
        let rows = rows_of(habit).await;
        assert_eq!(verdict(&rows, "Several tools in one reply").0, Verdict::Good, "{habit:?}");
    }
    let rows = rows_of(Habit::Caches).await;
    assert_eq!(verdict(&rows, "Repeated input is cached"), (Verdict::Good, "90 % of it"));
}

#[tokio::test]
async fn a_server_that_only_resembles_the_protocol_is_as_good() {
    for habit in [Habit::NoIndex, Habit::NoDone, Habit::OneDocument, Habit::OneDocumentAsEvents] {
        let rows = rows_of(habit).await;
        let table = table(&format!("{habit:?}"), &rows);
        assert_eq!(sum(&rows), Sum::Usable, "{table}");
        for what in ["Tools are called", "Arguments arrive unchanged", "Tokens are counted"] {
            assert_eq!(verdict(&rows, what).0, Verdict::Good, "{what}\n{table}");
        }
    }
}

#[tokio::test]
async fn an_unreachable_model_leaves_the_other_rows_untried() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let config = ModelConfig::new(Provider::OpenAi, "m", Some(&base_url), "none");
    let rows = trial(&Model::new(config).unwrap()).await;
    assert_eq!(verdict(&rows, "The model answers").0, Verdict::Broken);
    assert!(rows[1..].iter().all(|row| row.verdict == Verdict::Untried) && rows.len() == 17);
}
