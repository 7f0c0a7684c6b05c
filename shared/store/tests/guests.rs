//! Tests the guests of an account against a real engine: none enters against the owner's last decision.
use domain::guests::{Admission, MAX_GUESTS};
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use store::Table;
use store::guests::Guests;
use store::sessions::{Grounds, IDLE_SECONDS, Opening, Session, Sessions};
use store::testing;

const HOSTS: InstallationId = InstallationId(7);

fn visit(user_id: u64, guest: bool) -> Session {
    let now = Timestamp::now();
    Session {
        user_id,
        installation_id: HOSTS,
        shared: guest,
        guest,
        account: None,
        login: format!("user-{user_id}"),
        name: None,
        avatar_url: String::new(),
        signed_in_at: now,
        ends_at: now.plus_seconds(IDLE_SECONDS),
    }
}

async fn arrive(table: &Table, session: &Session) -> (SecretToken, Opening) {
    let token = SecretToken::random();
    let asked_at = Timestamp::now().plus_seconds(1);
    let grounds = Grounds { asked_at, replaces: None, chosen_from: None };
    let opening = Sessions::new(table).open(&token, session, grounds).await.unwrap();
    (token, opening)
}

#[tokio::test]
async fn a_guest_is_refused_and_listed_until_the_owner_allows_them() {
    let table = testing::table().await;
    let (sessions, guests) = (Sessions::new(&table), Guests::new(&table));
    let (token, opening) = arrive(&table, &visit(2, true)).await;
    assert_eq!(opening, Opening::GuestRefused);
    assert_eq!(sessions.find(&token).await.unwrap(), None);
    let list = guests.get(HOSTS).await.unwrap().list;
    assert_eq!((list.len(), list[0].user_id, list[0].login.as_str()), (1, 2, "user-2"));
    assert!(list[0].refused_at.is_some() && list[0].signed_in_at.is_none());

    guests.decide(HOSTS, 2, Admission::Allowed).await.unwrap().expect("they are listed");
    let (token, opening) = arrive(&table, &visit(2, true)).await;
    assert_eq!(opening, Opening::Opened);
    assert!(sessions.find(&token).await.unwrap().is_some());
    assert!(guests.get(HOSTS).await.unwrap().list[0].signed_in_at.is_some());
    assert_eq!(arrive(&table, &visit(3, true)).await.1, Opening::GuestRefused);
    assert_eq!(guests.decide(HOSTS, 4, Admission::Allowed).await.unwrap(), None, "unknown");
}

#[tokio::test]
async fn the_owner_and_members_need_no_permission() {
    let table = testing::table().await;
    let member = Session { shared: true, ..visit(2, false) };
    for session in [visit(1, false), member] {
        assert_eq!(arrive(&table, &session).await.1, Opening::Opened);
    }
    assert!(Guests::new(&table).get(HOSTS).await.unwrap().list.is_empty());
}

#[tokio::test]
async fn a_guests_sign_in_ends_when_its_installation_has_ended() {
    let table = testing::table().await;
    Guests::new(&table).choose(HOSTS, Admission::Allowed).await.unwrap();
    let sessions = Sessions::new(&table);
    let asked_at = Timestamp::now().plus_seconds(-1);
    drop(sessions.end_installation(HOSTS).await.unwrap());
    let grounds = Grounds { asked_at, replaces: None, chosen_from: None };
    let opening = sessions.open(&SecretToken::random(), &visit(2, true), grounds).await.unwrap();
    assert_eq!(opening, Opening::Over);
    assert!(Guests::new(&table).get(HOSTS).await.unwrap().list.is_empty(), "all or nothing");
}

/// The owner's decision, as the function carries it out.
async fn refuse(table: &Table, user_id: u64, all: bool) -> usize {
    let (guests, sessions) = (Guests::new(table), Sessions::new(table));
    let out: Vec<u64> = if all {
        guests.choose(HOSTS, Admission::Refused).await.unwrap().shut_out().collect()
    } else {
        let decided = guests.decide(HOSTS, user_id, Admission::Refused).await.unwrap();
        decided.map(|_| user_id).into_iter().collect()
    };
    let mut ended = 0;
    for user in out {
        ended += sessions.end_member(HOSTS, user).await.unwrap().0.len();
    }
    ended
}

#[tokio::test]
async fn no_session_of_a_guest_survives_the_owners_refusal_whichever_comes_first() {
    let table = testing::table().await;
    let sessions = Sessions::new(&table);
    for n in 0..40 {
        let (guest, all) = (100 + n, n % 2 == 0);
        assert_eq!(arrive(&table, &visit(guest, true)).await.1, Opening::GuestRefused);
        Guests::new(&table).decide(HOSTS, guest, Admission::Allowed).await.unwrap().unwrap();
        if all {
            Guests::new(&table).choose(HOSTS, Admission::Allowed).await.unwrap();
        }
        let guest = if all { guest + 1_000 } else { guest };
        let visit = visit(guest, true);
        let (opening, refusing) = (arrive(&table, &visit), refuse(&table, guest, all));
        let ((token, opening), ended) = if n % 4 < 2 {
            tokio::join!(opening, refusing)
        } else {
            let (ended, opened) = tokio::join!(refusing, opening);
            (opened, ended)
        };
        assert_eq!(sessions.find(&token).await.unwrap(), None, "{opening:?}, ended: {ended}");
        assert_eq!(opening == Opening::Opened, ended == 1, "a session is refused or ended");
    }
}

#[tokio::test]
async fn concurrent_attempts_of_strangers_are_all_refused_and_stay_within_the_bound() {
    let table = testing::table().await;
    let guests = Guests::new(&table);
    assert_eq!(arrive(&table, &visit(1, true)).await.1, Opening::GuestRefused);
    guests.decide(HOSTS, 1, Admission::Refused).await.unwrap().unwrap();
    for user in 0..MAX_GUESTS as u64 + 20 {
        assert_eq!(arrive(&table, &visit(1_000 + user, true)).await.1, Opening::GuestRefused);
    }
    let several = (0..4).map(|user| {
        let table = table.clone();
        tokio::spawn(async move { arrive(&table, &visit(5_000 + user, true)).await.1 })
    });
    for attempt in several.collect::<Vec<_>>() {
        assert_eq!(attempt.await.unwrap(), Opening::GuestRefused);
    }
    let list = guests.get(HOSTS).await.unwrap().list;
    assert_eq!(list.len(), MAX_GUESTS);
    assert_eq!(list[0].decision, Some(Admission::Refused), "the decision is kept");
    for user in 5_000..5_004 {
        assert!(list.iter().any(|guest| guest.user_id == user), "{user} replaced an old attempt");
    }
    guests.forget(HOSTS).await.unwrap();
    assert!(guests.get(HOSTS).await.unwrap().list.is_empty());
}
