//! A full list of guests, each with every time and a decision.
use super::largest::hex;
use domain::guests::{Admission, MAX_GUESTS};
use domain::ids::MAX_SAFE_INTEGER;
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use store::Table;
use store::guests::Guests;
use store::sessions::{Grounds, Opening, Session, Sessions};

pub async fn fill(table: &Table, installation_id: InstallationId) {
    let guests = Guests::new(table);
    guests.choose(installation_id, Admission::Allowed).await.unwrap();
    for number in 0..MAX_GUESTS as u64 {
        let now = Timestamp::now();
        let session = Session {
            user_id: MAX_SAFE_INTEGER - number,
            installation_id,
            shared: true,
            guest: true,
            account: Some(hex(39)),
            login: hex(39),
            name: None,
            avatar_url: String::new(),
            signed_in_at: now,
            ends_at: now.plus_seconds(60),
        };
        arrives(table, &session, Opening::Opened).await;
        let refused = guests.decide(installation_id, session.user_id, Admission::Refused).await;
        refused.unwrap().expect("they are on the list");
        arrives(table, &session, Opening::GuestRefused).await;
    }
}

async fn arrives(table: &Table, session: &Session, expected: Opening) {
    let grounds = Grounds { asked_at: Timestamp::now(), replaces: None, chosen_from: None };
    let sessions = Sessions::new(table);
    let opening = sessions.open(&SecretToken::random(), session, grounds).await.unwrap();
    assert_eq!(opening, expected);
}
