/** Sentences that the API says, too. `cargo dev openapi` generates this file from shared/domain. */

export const INSUFFICIENT_CREDITS = "Insufficient credits. Add credits to continue.";
export const BUDGET_REACHED = "This project has reached its budget. Raise it on the costs page to continue.";
export const REQUIREMENTS_NOT_READY = "You can continue only after the agent is clear about the requirements";

/** The agents' names. */
export const AGENT_NAMES = {
  "requirements-gatherer": "Requirements agent",
  "cloud-architect": "Cloud architect",
  "implementation-planner": "Implementation planner",
  "executor": "Execution agent",
  "validator": "Validator",
  "documenter": "Documenter",
  "devops-helper": "DevOps Helper",
} as const;
