//! The person behind a decision or a change.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The person who acted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Actor {
    /// The user's number on GitHub.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub user_id: u64,
    /// The user's login on GitHub at that time.
    pub login: String,
}
