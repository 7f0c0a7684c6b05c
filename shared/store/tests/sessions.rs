//! Tests sessions and counters against a real engine: an ended session stays ended, and no call slips past its limit.
use aws_sdk_dynamodb::config::retry::RetryConfig;
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use std::collections::HashSet;
use store::access::{Access, Accesses};
use store::rates::{LONGEST_WAIT, Rates, WINDOW_SECONDS};
use store::sessions::{
    Grounds, IDLE_SECONDS, Opening, SESSIONS_PER_USER, SHARED_SECONDS, Session, Sessions,
};
use store::testing::faults::{Death, Fault};
use store::{Table, testing};

const OWNERS: InstallationId = InstallationId(7);
const ELSEWHERE: InstallationId = InstallationId(8);

pub fn session(user_id: u64, installation_id: InstallationId) -> Session {
    let now = Timestamp::now();
    Session {
        user_id,
        installation_id,
        shared: false,
        guest: false,
        account: None,
        login: "ann".to_owned(),
        name: None,
        avatar_url: String::new(),
        signed_in_at: now,
        ends_at: now.plus_seconds(IDLE_SECONDS),
    }
}

fn asked_now() -> Grounds<'static> {
    Grounds { asked_at: Timestamp::now(), replaces: None, chosen_from: None }
}

pub async fn open(sessions: &Sessions, session: &Session) -> SecretToken {
    let token = SecretToken::random();
    assert_eq!(sessions.open(&token, session, asked_now()).await.unwrap(), Opening::Opened);
    token
}

#[tokio::test]
async fn a_replaced_session_ends_with_the_sign_in_that_replaces_it() {
    let sessions = Sessions::new(&testing::table().await);
    let old = open(&sessions, &session(1, OWNERS)).await;
    let new = SecretToken::random();
    let grounds = Grounds { replaces: Some(&old), ..asked_now() };
    assert_eq!(sessions.open(&new, &session(1, OWNERS), grounds).await.unwrap(), Opening::Opened);
    assert_eq!(sessions.find(&old).await.unwrap(), None);
    assert!(sessions.find(&new).await.unwrap().is_some());
}

#[tokio::test]
async fn all_sessions_of_a_user_end_and_no_others() {
    let sessions = Sessions::new(&testing::table().await);
    let mut theirs = Vec::new();
    for _ in 0..SESSIONS_PER_USER {
        theirs.push(open(&sessions, &session(1, OWNERS)).await);
    }
    let others = open(&sessions, &session(2, OWNERS)).await;
    assert_eq!(sessions.end_user(1).await.unwrap().0.len(), SESSIONS_PER_USER);
    for token in &theirs {
        assert_eq!(sessions.find(token).await.unwrap(), None);
    }
    assert!(sessions.find(&others).await.unwrap().is_some());
    assert_eq!(sessions.end_user(1).await.unwrap().0.len(), 0);
}

#[tokio::test]
async fn an_end_that_dies_after_its_first_write_has_ended_every_session() {
    for ended in ["user", "member", "installation"] {
        let fault = Fault::at(1, Death::BeforeTheCall);
        let table = testing::table_with(|config| {
            config.interceptor(fault.interceptor()).retry_config(RetryConfig::disabled())
        });
        let table = table.await;
        let (sessions, accesses) = (Sessions::new(&table), Accesses::new(&table));
        let (token, others) = (
            open(&sessions, &session(1, OWNERS)).await,
            open(&sessions, &session(2, ELSEWHERE)).await,
        );
        fault.arm();
        let died = match ended {
            "user" => sessions.end_user(1).await,
            "member" => sessions.end_member(OWNERS, 1).await,
            _ => sessions.end_installation(OWNERS).await,
        };
        assert!(died.is_err() && fault.disarm(), "{ended}");
        let rows = testing::sizes(&table).await;
        assert!(rows.iter().any(|(pk, ..)| pk.contains(&token.hash())), "its row is left");
        assert_eq!(sessions.find(&token).await.unwrap(), None, "{ended}");
        assert!(!sessions.is_open(&token.hash()).await.unwrap(), "{ended}");
        let access = |token: &SecretToken| Access { session: token.hash(), project: None };
        let both = HashSet::from([access(&token), access(&others)]);
        let lasting = accesses.lasting(&both).await.unwrap();
        assert_eq!(lasting, HashSet::from([access(&others)]), "{ended}");
        assert!(sessions.find(&others).await.unwrap().is_some(), "{ended}");
        // A later sign-in does not bring it back.
        let grounds = Grounds { asked_at: Timestamp::now().plus_seconds(1), ..asked_now() };
        let again = SecretToken::random();
        let opened = sessions.open(&again, &session(1, OWNERS), grounds).await.unwrap();
        assert_eq!(opened, Opening::Opened);
        assert!(sessions.find(&again).await.unwrap().is_some(), "{ended}");
        assert_eq!(sessions.find(&token).await.unwrap(), None, "{ended}");
    }
}

#[tokio::test]
async fn a_sign_in_beyond_the_limit_ends_the_oldest_session_of_its_user() {
    let table = testing::table().await;
    let sessions = Sessions::new(&table);
    let signed_in = |seconds| Session {
        signed_in_at: Timestamp::now().plus_seconds(seconds - 3600),
        ..session(1, if seconds % 2 == 0 { OWNERS } else { ELSEWHERE })
    };
    let mut theirs = Vec::new();
    for n in 0..SESSIONS_PER_USER + 10 {
        theirs.push(open(&sessions, &signed_in(n as i64)).await);
    }
    let others = open(&sessions, &session(2, OWNERS)).await;
    for (n, token) in theirs.iter().enumerate() {
        assert_eq!(sessions.find(token).await.unwrap().is_some(), n >= 10, "{n}");
    }
    // The sign-in that replaces a session ends no other one.
    let grounds = Grounds { replaces: theirs.last(), ..asked_now() };
    let opened = sessions.open(&SecretToken::random(), &signed_in(100), grounds).await.unwrap();
    assert_eq!(opened, Opening::Opened);
    assert!(sessions.find(&theirs[10]).await.unwrap().is_some());
    assert!(sessions.find(&others).await.unwrap().is_some());
    assert_eq!(rows(&table, "SESSION").await, 3 * (SESSIONS_PER_USER + 1));
}

#[tokio::test]
async fn an_ended_session_leaves_no_row() {
    let table = testing::table().await;
    let sessions = Sessions::new(&table);
    for round in 0..4 {
        let old = open(&sessions, &session(1, OWNERS)).await;
        let new = SecretToken::random();
        let grounds = Grounds { replaces: Some(&old), ..asked_now() };
        let opened = sessions.open(&new, &session(1, ELSEWHERE), grounds).await.unwrap();
        assert_eq!(opened, Opening::Opened);
        assert_eq!(rows(&table, "SESSION").await, 3);
        let ended = match round {
            0 => sessions.revoke(&new).await,
            1 => sessions.end_user(1).await,
            2 => sessions.end_member(ELSEWHERE, 1).await,
            _ => sessions.end_installation(ELSEWHERE).await,
        };
        assert_eq!(ended.unwrap().0, [new.hash()]);
        assert_eq!(rows(&table, "SESSION").await, 0, "{round}");
        time_passes().await;
    }
}

/// The clock moves on, so that the next sign-in asks GitHub after an end.
async fn time_passes() {
    let now = Timestamp::now();
    while Timestamp::now() <= now {
        tokio::task::yield_now().await;
    }
}

/// How many items have a sort key that begins like this.
async fn rows(table: &Table, sort_key: &str) -> usize {
    testing::sizes(table).await.iter().filter(|(_, sk, _)| sk.starts_with(sort_key)).count()
}

#[tokio::test]
async fn people_get_mail_as_long_as_they_may_sign_in() {
    let sessions = Sessions::new(&testing::table().await);
    let lately = async || sessions.signed_in_lately(OWNERS, 1).await.unwrap();
    assert!(!lately().await);
    let token = open(&sessions, &session(1, OWNERS)).await;
    assert!(lately().await);
    drop(sessions.revoke(&token).await.unwrap());
    assert!(lately().await, "signing out in one browser says nothing about rights");
    assert!(!sessions.signed_in_lately(ELSEWHERE, 1).await.unwrap());
    assert!(!sessions.signed_in_lately(OWNERS, 2).await.unwrap());
    for end in 0..3 {
        match end {
            0 => drop(sessions.end_user(1).await.unwrap()),
            1 => drop(sessions.end_member(OWNERS, 1).await.unwrap()),
            _ => drop(sessions.end_installation(OWNERS).await.unwrap()),
        }
        assert!(!lately().await, "{end}");
        time_passes().await;
        open(&sessions, &session(1, OWNERS)).await;
        assert!(lately().await, "{end}");
    }
    let over = Timestamp::now().plus_seconds(-SHARED_SECONDS);
    let over = Session { shared: true, signed_in_at: over, ..session(3, OWNERS) };
    open(&sessions, &over).await;
    assert!(!sessions.signed_in_lately(OWNERS, 3).await.unwrap());
}

#[tokio::test]
async fn a_sign_in_that_began_before_its_user_signed_out_everywhere_opens_no_session() {
    let sessions = Sessions::new(&testing::table().await);
    let before = Timestamp::now().plus_seconds(-1);
    drop(sessions.end_user(1).await.unwrap());
    let after = Timestamp::now().plus_seconds(1);
    for (user, asked_at, ended) in [(1, before, true), (1, after, false), (2, before, false)] {
        assert_eq!(sessions.ended_since(user, asked_at).await.unwrap(), ended, "{user}");
    }
    for (user, asked_at, opens) in [(1, before, false), (1, after, true), (2, before, true)] {
        let grounds = Grounds { asked_at, ..asked_now() };
        let token = SecretToken::random();
        let opened = sessions.open(&token, &session(user, OWNERS), grounds).await.unwrap();
        assert_eq!(opened == Opening::Opened, opens, "{user}");
    }
}

#[tokio::test]
async fn no_session_survives_the_end_of_its_installation_whichever_comes_first() {
    let sessions = Sessions::new(&testing::table().await);
    for n in 0..40 {
        let id = InstallationId(100 + n);
        let (token, session) = (SecretToken::random(), session(n, id));
        let grounds = asked_now();
        let opening = sessions.open(&token, &session, grounds);
        let ending = sessions.end_installation(id);
        let (opened, ended) = if n % 2 == 0 {
            tokio::join!(opening, ending)
        } else {
            let (ended, opened) = tokio::join!(ending, opening);
            (opened, ended)
        };
        let (opened, ended) = (opened.unwrap() == Opening::Opened, ended.unwrap().0.len());
        assert_eq!(sessions.find(&token).await.unwrap(), None, "opened: {opened}, ended: {ended}");
        assert_eq!(opened, ended == 1, "a session is either refused or ended");
    }
}

#[tokio::test]
async fn a_user_who_leaves_loses_their_sessions_there_and_no_other_user_does() {
    let sessions = Sessions::new(&testing::table().await);
    let theirs = open(&sessions, &session(1, OWNERS)).await;
    let own = open(&sessions, &session(1, ELSEWHERE)).await;
    let others = open(&sessions, &session(2, OWNERS)).await;
    let before = Timestamp::now().plus_seconds(-1);
    assert_eq!(sessions.end_member(OWNERS, 1).await.unwrap().0.len(), 1);
    assert_eq!(sessions.find(&theirs).await.unwrap(), None);
    assert!(sessions.find(&own).await.unwrap().is_some());
    assert!(sessions.find(&others).await.unwrap().is_some());

    // A sign-in of that user that asked GitHub earlier is refused; other people's sign-ins are not.
    for (user, at, opens) in [(1, OWNERS, false), (1, ELSEWHERE, true), (2, OWNERS, true)] {
        let grounds = Grounds { asked_at: before, ..asked_now() };
        let token = SecretToken::random();
        let opened = sessions.open(&token, &session(user, at), grounds).await.unwrap();
        assert_eq!(opened == Opening::Opened, opens, "{user} at {at}");
    }
}

#[tokio::test]
async fn a_session_is_refused_or_ended_whether_its_user_leaves_before_or_after() {
    let sessions = Sessions::new(&testing::table().await);
    for n in 0..40 {
        let (token, session) = (SecretToken::random(), session(n, OWNERS));
        let opening = sessions.open(&token, &session, asked_now());
        let leaving = sessions.end_member(OWNERS, n);
        let (opened, ended) = if n % 2 == 0 {
            tokio::join!(opening, leaving)
        } else {
            let (ended, opened) = tokio::join!(leaving, opening);
            (opened, ended)
        };
        assert_eq!(sessions.find(&token).await.unwrap(), None);
        assert_eq!(opened.unwrap() == Opening::Opened, ended.unwrap().0.len() == 1);
    }
}

#[tokio::test]
async fn a_user_who_asked_github_after_the_end_is_let_in_again() {
    let sessions = Sessions::new(&testing::table().await);
    let before = Timestamp::now().plus_seconds(-1);
    drop(sessions.end_installation(OWNERS).await.unwrap());
    let (token, session) = (SecretToken::random(), session(1, OWNERS));
    let early = Grounds { asked_at: before, ..asked_now() };
    assert_eq!(sessions.open(&token, &session, early).await.unwrap(), Opening::Over);
    let late = Grounds { asked_at: Timestamp::now().plus_seconds(1), ..asked_now() };
    assert_eq!(sessions.open(&token, &session, late).await.unwrap(), Opening::Opened);
}

#[tokio::test]
async fn using_an_ended_session_does_not_bring_it_back() {
    let sessions = Sessions::new(&testing::table().await);
    let nearly_over = Session { ends_at: Timestamp::now().plus_seconds(60), ..session(1, OWNERS) };
    let token = open(&sessions, &nearly_over).await;
    let (found, revoked) = tokio::join!(sessions.find(&token), sessions.revoke(&token));
    found.unwrap();
    assert_eq!(revoked.unwrap().0, [token.hash()]);
    assert_eq!(sessions.find(&token).await.unwrap(), None);
}

#[tokio::test]
async fn a_counter_passes_its_limit_of_calls_in_a_window() {
    let rates = Rates::new(&testing::table().await);
    let now = Timestamp::now();
    let calls = (0..20).map(|_| {
        let rates = rates.clone();
        tokio::spawn(async move { rates.count("chat", "ann", 7, now).await.unwrap() })
    });
    let mut refused = 0;
    for call in calls.collect::<Vec<_>>() {
        if let Some(seconds) = call.await.unwrap() {
            assert!((1..=LONGEST_WAIT).contains(&seconds), "{seconds}");
            refused += 1;
        }
    }
    assert_eq!(refused, 13);
    assert_eq!(rates.count("chat", "bob", 7, now).await.unwrap(), None, "another caller");
    assert_eq!(rates.count("payment", "ann", 7, now).await.unwrap(), None, "another kind");
    let next = now.plus_seconds(LONGEST_WAIT.into());
    assert_eq!(rates.count("chat", "ann", 7, next).await.unwrap(), None, "another minute");
    assert!(rates.count("chat", "eve", 0, now).await.unwrap().is_some(), "none at all");
    let several =
        async || rates.count_several(50, WINDOW_SECONDS, "messages", "ann", 120, now).await;
    for passes in [true, true, true, false] {
        assert_eq!(several().await.unwrap().is_none(), passes);
    }
}
