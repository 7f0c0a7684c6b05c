//! The stable codes of refusals and errors.
//!
//! The API's error bodies and the chats' error events name one of them. The contract lists them all, so the compilers
//! of Rust and TypeScript name each place that uses a code which has changed.

use serde::Serialize;
use std::fmt;
use utoipa::ToSchema;

macro_rules! error_codes {
    ($($name:ident = $text:tt,)*) => {
        /// The stable code of a refusal or an error, for programs. Its meaning never changes; the text beside it says
        /// the reason to people. A newer server may send codes that are not in this list.
        #[allow(missing_docs, reason = "each place that uses a code has the sentence for people")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
        pub enum ErrorCode {
            $(#[serde(rename = $text)] $name,)*
        }

        impl ErrorCode {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The code as it is sent.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

error_codes! {
    AccountDeleted = "account_deleted",
    AgentQuestion = "agent_question",
    AmountMismatch = "amount_mismatch",
    AmountTooLarge = "amount_too_large",
    AmountTooSmall = "amount_too_small",
    AnotherStepRuns = "another_step_runs",
    AttemptOver = "attempt_over",
    AttemptUnnamed = "attempt_unnamed",
    BadDelivery = "bad_delivery",
    BadRequest = "bad_request",
    BadScript = "bad_script",
    BadSignature = "bad_signature",
    BeingWritten = "being_written",
    BranchMoved = "branch_moved",
    BranchProtected = "branch_protected",
    BudgetReached = "budget_reached",
    CannotBeTried = "cannot_be_tried",
    ChangeUnderWay = "change_under_way",
    CheckChangesSomething = "check_changes_something",
    CommandChanged = "command_changed",
    Contended = "contended",
    ControlCharacters = "control_characters",
    CredentialsMissing = "credentials_missing",
    CrossOrigin = "cross_origin",
    DefaultBranchName = "default_branch_name",
    DescriptionTooLong = "description_too_long",
    FilesChanged = "files_changed",
    GithubBusy = "github_busy",
    GithubRefused = "github_refused",
    GuestRefused = "guest_refused",
    HasRun = "has_run",
    IdempotencyKeyReused = "idempotency_key_reused",
    IllegalTransition = "illegal_transition",
    InstallationGone = "installation_gone",
    InstallationSuspended = "installation_suspended",
    InsufficientCredits = "insufficient_credits",
    Internal = "internal",
    InvalidAddress = "invalid_address",
    InvalidAmount = "invalid_amount",
    InvalidBody = "invalid_body",
    InvalidBranch = "invalid_branch",
    InvalidCursor = "invalid_cursor",
    InvalidDays = "invalid_days",
    InvalidEvent = "invalid_event",
    InvalidIdempotencyKey = "invalid_idempotency_key",
    InvalidJson = "invalid_json",
    InvalidLimit = "invalid_limit",
    InvalidMessage = "invalid_message",
    InvalidName = "invalid_name",
    InvalidProjectId = "invalid_project_id",
    InvalidProvider = "invalid_provider",
    InvalidReport = "invalid_report",
    InvalidRepository = "invalid_repository",
    InvalidScript = "invalid_script",
    InvalidSelection = "invalid_selection",
    InvalidSignature = "invalid_signature",
    InvalidValue = "invalid_value",
    LinkEnded = "link_ended",
    MailKeyMissing = "mail_key_missing",
    MailOff = "mail_off",
    MethodNotAllowed = "method_not_allowed",
    ModelContextOverflow = "model_context_overflow",
    ModelFiltered = "model_filtered",
    ModelInterrupted = "model_interrupted",
    ModelInvalidRequest = "model_invalid_request",
    ModelMistakes = "model_mistakes",
    ModelOnlyTalked = "model_only_talked",
    ModelOverloaded = "model_overloaded",
    ModelRateLimited = "model_rate_limited",
    ModelRefused = "model_refused",
    ModelUnreachable = "model_unreachable",
    NameMissing = "name_missing",
    NameTooLong = "name_too_long",
    NoCommand = "no_command",
    NoMail = "no_mail",
    NoPreview = "no_preview",
    NoPreviews = "no_previews",
    NoStandingApproval = "no_standing_approval",
    NoSuchAgent = "no_such_agent",
    NoSuchBranch = "no_such_branch",
    NoWorkspace = "no_workspace",
    NotAMember = "not_a_member",
    NotConfigured = "not_configured",
    NotConfirmed = "not_confirmed",
    NotFound = "not_found",
    NotJson = "not_json",
    NotOwner = "not_owner",
    NotThroughTheSite = "not_through_the_site",
    NotUnderWay = "not_under_way",
    NotValidated = "not_validated",
    NothingRan = "nothing_ran",
    NothingToImport = "nothing_to_import",
    NothingToPush = "nothing_to_push",
    OrganizationAccount = "organization_account",
    PermissionMissing = "permission_missing",
    ProjectDeleted = "project_deleted",
    ProjectHasFiles = "project_has_files",
    ProjectMissing = "project_missing",
    ProviderFailed = "provider_failed",
    PushTooSlow = "push_too_slow",
    PushUnclear = "push_unclear",
    RateLimited = "rate_limited",
    ReasonTooLong = "reason_too_long",
    ReplyCutShort = "reply_cut_short",
    RepositoryArchived = "repository_archived",
    RepositoryGone = "repository_gone",
    RepositoryReadOnly = "repository_read_only",
    RepositoryTooLarge = "repository_too_large",
    RollbackUnnamed = "rollback_unnamed",
    RolledBack = "rolled_back",
    SandboxNotRunning = "sandbox_not_running",
    SecretInScript = "secret_in_script",
    SecretInText = "secret_in_text",
    ShareEnded = "share_ended",
    ShareKeyMissing = "share_key_missing",
    SharedAccount = "shared_account",
    SignInOver = "sign_in_over",
    SignedOut = "signed_out",
    StageGate = "stage_gate",
    StageLocked = "stage_locked",
    StalePlan = "stale_plan",
    StaleRun = "stale_run",
    StepRunning = "step_running",
    StepUnderWay = "step_under_way",
    StepsOpen = "steps_open",
    StillRunning = "still_running",
    TextChanged = "text_changed",
    TooLarge = "too_large",
    TooManyChanges = "too_many_changes",
    TooManyCredentials = "too_many_credentials",
    TooManyEdits = "too_many_edits",
    TooManyProjects = "too_many_projects",
    TooManySandboxes = "too_many_sandboxes",
    TooManyShares = "too_many_shares",
    TooManyStreams = "too_many_streams",
    ToolError = "tool_error",
    TornDown = "torn_down",
    TurnOverBudget = "turn_over_budget",
    TurnTimedOut = "turn_timed_out",
    WishMissing = "wish_missing",
    WishTooLong = "wish_too_long",
    WorkspaceTooLarge = "workspace_too_large",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_sent_as_it_is_written_and_is_its_name_in_snake_case() {
        for code in ErrorCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
            let words = code.as_str().split('_').map(|word| {
                let (first, rest) = word.split_at(1);
                format!("{}{rest}", first.to_uppercase())
            });
            assert_eq!(format!("{code:?}"), words.collect::<String>());
        }
        let sent: std::collections::BTreeSet<_> =
            ErrorCode::ALL.iter().map(|c| c.as_str()).collect();
        assert_eq!(sent.len(), ErrorCode::ALL.len());
    }
}
