//! The people who may use the installation of another person's account.
//!
//! GitHub lets everyone to whom a person has given access to one repository reach that person's whole installation. For
//! an organization that is right: GitHub manages its members. A person who shares one repository has not agreed to share
//! credits, projects and credentials, so Groundcrew refuses such a *guest* unless the owner of the account allows it.
//!
//! The policy, the guests and the owner's decisions are one value. So one conditional write changes all of them, a
//! sign-in can depend on the whole value, and the list cannot grow beyond its bound. Only the owner decides: a decision
//! has no author.
//!
//! An allowed guest may do what a member of an organization may do. Finer rights would have to hold in each call, in
//! each sandbox and for each credential; an owner who needs them can use an organization.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most guests on the list of one account.
pub const MAX_GUESTS: usize = 100;

/// Whether a guest may sign in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Admission {
    /// They may not.
    #[default]
    Refused,
    /// They may.
    Allowed,
}

/// A person who has tried to sign in for another person's account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guest {
    /// Their number on GitHub.
    pub user_id: u64,
    /// Their login on GitHub when they last tried.
    pub login: String,
    /// The owner's decision about this person, which overrides the policy.
    pub decision: Option<Admission>,
    /// When they first signed in.
    pub first_signed_in_at: Option<Timestamp>,
    /// When they last signed in.
    pub signed_in_at: Option<Timestamp>,
    /// When Groundcrew last refused their sign-in.
    pub refused_at: Option<Timestamp>,
}

/// The guests of one account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guests {
    /// Applies to each guest about whom the owner has not decided.
    pub policy: Admission,
    /// When the owner last chose the policy.
    pub chosen_at: Option<Timestamp>,
    /// In the order of their first attempts.
    pub list: Vec<Guest>,
}

/// The outcome of a guest's attempt to sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Whether they may enter.
    pub admission: Admission,
    /// The list with this attempt; `None` if the list has no room for it.
    pub noted: Option<Guests>,
}

impl Guest {
    fn new(user_id: u64, login: &str) -> Self {
        let login = login.to_owned();
        let (first_signed_in_at, signed_in_at) = (None, None);
        Self { user_id, login, decision: None, first_signed_in_at, signed_in_at, refused_at: None }
    }

    /// Whether a newer attempt of another person may take its place, because it holds no decision, and no person who
    /// may still have a session or a link.
    fn is_replaceable(&self) -> bool {
        self.decision.is_none() && self.signed_in_at.is_none()
    }
}

impl Guests {
    /// Whether this guest may enter.
    pub fn admission(&self, guest: &Guest) -> Admission {
        guest.decision.unwrap_or(self.policy)
    }

    /// A person's attempt to sign in. On a full list it takes the place of the oldest attempt that changed nothing. If
    /// there is no such attempt, the person is refused, because the owner could not see or end their access.
    pub fn arrival(mut self, user_id: u64, login: &str, now: Timestamp) -> Arrival {
        let Some(at) = self.place(user_id, login) else {
            return Arrival { admission: Admission::Refused, noted: None };
        };
        let admission = self.admission(&self.list[at]);
        let guest = &mut self.list[at];
        login.clone_into(&mut guest.login);
        match admission {
            Admission::Allowed => {
                guest.first_signed_in_at.get_or_insert(now);
                guest.signed_in_at = Some(now);
            }
            Admission::Refused => guest.refused_at = Some(now),
        }
        Arrival { admission, noted: Some(self) }
    }

    /// The position of a person on the list, to which they are added if there is room.
    fn place(&mut self, user_id: u64, login: &str) -> Option<usize> {
        if let Some(at) = self.list.iter().position(|guest| guest.user_id == user_id) {
            return Some(at);
        }
        if self.list.len() >= MAX_GUESTS {
            let replaceable = self.list.iter().enumerate().filter(|(_, one)| one.is_replaceable());
            let (oldest, _) = replaceable.min_by_key(|(_, one)| one.refused_at)?;
            self.list.remove(oldest);
        }
        self.list.push(Guest::new(user_id, login));
        Some(self.list.len() - 1)
    }

    /// The same with another policy.
    pub fn choosing(self, policy: Admission, now: Timestamp) -> Self {
        Self { policy, chosen_at: Some(now), ..self }
    }

    /// The same with a decision about one guest; `None` if the list does not have them.
    pub fn deciding(mut self, user_id: u64, admission: Admission) -> Option<Self> {
        let guest = self.list.iter_mut().find(|guest| guest.user_id == user_id)?;
        guest.decision = Some(admission);
        Some(self)
    }

    /// The guests who have been here and may no longer enter.
    pub fn shut_out(&self) -> impl Iterator<Item = u64> + '_ {
        let out = |guest: &&Guest| {
            guest.signed_in_at.is_some() && self.admission(guest) == Admission::Refused
        };
        self.list.iter().filter(out).map(|guest| guest.user_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::now().plus_seconds(seconds)
    }

    fn arriving(guests: Guests, user_id: u64) -> (Admission, Guests) {
        let arrival = guests.arrival(user_id, "mona", at(0));
        (arrival.admission, arrival.noted.unwrap())
    }

    #[test]
    fn a_guest_is_refused_unless_the_owner_allows_all_or_this_one() {
        let (admission, guests) = arriving(Guests::default(), 7);
        assert_eq!(admission, Admission::Refused);
        assert_eq!(guests.list[0].signed_in_at, None);
        let one = guests.clone().deciding(7, Admission::Allowed).unwrap();
        assert_eq!(arriving(one.clone(), 7).0, Admission::Allowed);
        assert_eq!(arriving(one, 8).0, Admission::Refused);
        let all = guests.choosing(Admission::Allowed, at(0));
        assert_eq!(arriving(all.clone(), 8).0, Admission::Allowed);
        let but_one = all.deciding(7, Admission::Refused).unwrap();
        assert_eq!(arriving(but_one, 7).0, Admission::Refused);
    }

    #[test]
    fn only_guests_who_were_here_and_may_no_longer_enter_are_shut_out() {
        let guests = Guests::default().choosing(Admission::Allowed, at(0));
        let guests = [1, 2, 3].into_iter().fold(guests, |guests, id| arriving(guests, id).1);
        let guests = guests.deciding(2, Admission::Allowed).unwrap();
        assert_eq!(guests.shut_out().count(), 0);
        let refused = guests.choosing(Admission::Refused, at(1));
        assert_eq!(refused.shut_out().collect::<Vec<_>>(), [1, 3]);
        let (_, refused) = arriving(refused, 4);
        assert_eq!(refused.shut_out().collect::<Vec<_>>(), [1, 3], "they never entered");
    }

    #[test]
    fn a_guest_who_would_not_be_on_the_full_list_is_refused() {
        let mut guests = Guests::default().choosing(Admission::Allowed, at(0));
        for id in 0..MAX_GUESTS as u64 {
            guests = arriving(guests, id).1;
        }
        let late = guests.arrival(1_000, "late", at(1));
        assert_eq!(late, Arrival { admission: Admission::Refused, noted: None });
    }

    proptest! {
        #[test]
        fn attempts_never_grow_the_list_beyond_its_bound_or_change_a_decision(
            decided in prop::collection::vec((0_u64..40, any::<bool>()), 0..30),
            attempts in prop::collection::vec(0_u64..400, 0..300),
        ) {
            let mut guests = (0..40).fold(Guests::default(), |guests, id| arriving(guests, id).1);
            for (id, allowed) in decided {
                let decision = if allowed { Admission::Allowed } else { Admission::Refused };
                guests = guests.deciding(id, decision).unwrap();
            }
            let decisions = |guests: &Guests| -> Vec<_> {
                let decided = guests.list.iter().filter(|guest| guest.decision.is_some());
                decided.map(|guest| (guest.user_id, guest.decision)).collect()
            };
            let before = decisions(&guests);
            for (second, id) in attempts.into_iter().enumerate() {
                let now = at(i64::try_from(second).unwrap());
                let arrival = guests.clone().arrival(id, "mona", now);
                guests = arrival.noted.unwrap_or(guests);
                prop_assert!(guests.list.len() <= MAX_GUESTS);
            }
            prop_assert_eq!(decisions(&guests), before);
        }
    }
}
