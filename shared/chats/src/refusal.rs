//! The answers to calls that the agents or the vault refuse.

use agents::{AgentError, EarlyEnd};
use axum::http::StatusCode;
use flows::VaultError;
use http_kit::ApiError;

/// The answer if a turn cannot begin, or if an edited command cannot be checked.
pub(crate) fn of_agent(error: AgentError) -> ApiError {
    use EarlyEnd as End;
    let status = match error.end() {
        End::NotFound => return ApiError::not_found(),
        End::Internal => return ApiError::internal(error),
        End::InvalidMessage | End::InvalidScript | End::SecretInScript => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        End::NotConfigured => StatusCode::SERVICE_UNAVAILABLE,
        End::Unpaid(_) => StatusCode::PAYMENT_REQUIRED,
        // These end a turn that has begun, so a chat reports them in its stream.
        End::ModelRateLimited
        | End::ModelOverloaded
        | End::ModelUnreachable
        | End::ModelRefused
        | End::ModelInvalidRequest
        | End::ModelContextOverflow
        | End::ModelInterrupted
        | End::ModelFiltered
        | End::ReplyCutShort
        | End::TurnOverBudget
        | End::TurnTimedOut
        | End::AgentQuestion
        | End::ModelOnlyTalked
        | End::ModelMistakes
        | End::BadScript
        | End::ToolError
        | End::StaleRun
        | End::NoCommand
        | End::NoSuchAgent => StatusCode::BAD_GATEWAY,
    };
    ApiError::new(status, error.code(), error.public_text())
}

/// The answer if the vault does not keep or list credentials.
pub fn of_vault(error: VaultError) -> ApiError {
    match error {
        VaultError::Invalid(invalid) => {
            ApiError::unprocessable(invalid.code(), invalid.to_string())
        }
        VaultError::NoSuchProject => ApiError::not_found(),
        VaultError::Store(_) | VaultError::Aws(_) => ApiError::internal(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::response::IntoResponse;
    use domain::ledger::Refusal;

    fn answer(error: AgentError) -> (u16, &'static str) {
        let error = of_agent(error);
        let code = error.code().as_str();
        (error.into_response().status().as_u16(), code)
    }

    #[test]
    fn each_refusal_of_an_agent_has_its_status_and_keeps_its_code() {
        let refused = |code| answer(AgentError::caller(code, "No."));
        let unpaid = |refusal| refused(EarlyEnd::Unpaid(refusal));
        assert_eq!(refused(EarlyEnd::NotFound), (404, "not_found"));
        assert_eq!(refused(EarlyEnd::InvalidMessage), (422, "invalid_message"));
        assert_eq!(refused(EarlyEnd::SecretInScript), (422, "secret_in_script"));
        assert_eq!(refused(EarlyEnd::NotConfigured), (503, "not_configured"));
        assert_eq!(unpaid(Refusal::InsufficientCredits), (402, "insufficient_credits"));
        assert_eq!(unpaid(Refusal::BudgetReached), (402, "budget_reached"));
        assert_eq!(refused(EarlyEnd::ModelOverloaded), (502, "model_overloaded"));
    }

    #[test]
    fn the_log_gets_the_cause_of_a_failure_of_our_own_and_the_caller_does_not() {
        let error = of_agent(AgentError::internal("the table is gone"));
        let cause = error.cause().and_then(std::error::Error::source).map(ToString::to_string);
        assert_eq!(cause.as_deref(), Some("the table is gone"));
        assert!(!error.detail().contains("table"), "{}", error.detail());
        assert_eq!(answer(AgentError::internal("the table is gone")), (500, "internal"));
    }
}
