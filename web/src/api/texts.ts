/** Sentences that the API says, too. `cargo dev openapi` generates this file from shared/domain. */

export const INSUFFICIENT_CREDITS = "Your credits do not cover the next call. Add credits to continue.";
export const BUDGET_REACHED = "The rest of this project's budget does not cover the next call. Raise it on the costs page to continue.";
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
