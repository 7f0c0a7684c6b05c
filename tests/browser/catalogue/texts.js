/**
 * Every text of the project workspace that names an error or a state, as its users know them.
 *
 * `{…}` stands for what differs each time. The stories beside this file reach each of them, and the suite fails when
 * one of them reaches none or when a text that is not listed here is claimed.
 */
export const ERRORS = [
  "Sorry, I encountered an error. Please try again.",
  "Connection error. Please try again.",
  "Failed to send message. Please try again.",
  "Error loading requirements",
  "Error loading architecture plan",
  "Error loading implementation plan",
  "Invalid project ID: {id}. Please ensure you're viewing a valid project.",
  "No installation ID found",
  "Container creation failed. Please try again or contact support.",
  "You need to provide cloud provider credentials during the requirements gathering phase before proceeding.",
  "Return to Requirements",
  "Timeout waiting for sandbox initialization",
  "Failed to initialize sandbox environment",
  "Failed to load execution progress",
  "No steps data available",
  "Failed to start validation process. Please try again.",
  "Failed to start validation. Please try again or contact support.",
  "Failed to create validation plan. Please try again or contact support.",
  "Failed to move to validation stage. Please try again or contact support.",
  "Failed to start validation.",
  "Failed to fetch validation plan: Invalid response format",
  "Error fetching validation plan: {message}",
  "Error fetching validation plan: Unknown error",
  "Error executing command",
  "Connection closed.",
  "Timeout waiting for documentation to be ready",
  "Failed to load/generate documentation. Please try again.",
  "Failed to load documentation",
  "Failed to load container status",
  "Failed to start container",
  "Failed to sync sandbox data: {error}. Please try again.",
  "Failed to stop sandbox. Please ensure all your work is saved before stopping.",
  "Failed to download working directory",
  "Download failed. Please try again.",
  "Failed to sync sandbox data: {error}",
  "Failed to determine project path",
  "Failed to load project data",
  "Failed to load project details",
  "The page you're looking for doesn't exist.",
  "This script was not saved. {message}",
  "Your changes are not saved.",
  "The command changed after it was shown to you. Read the new one below before you approve it.",
  "The timeline could not be read",
  "The audit could not be read",
];

export const STATES = [
  "Loading project...",
  "No stage selected",
  "No agent configured for this stage",
  "Unknown agent type",
  "No stages available",
  "No stages configured",
  "Thinking...",
  "Thread ID {id}",
  "You can continue only after the agent is clear about the requirements",
  "Confirm Requirements & Continue",
  "Generating Architecture Plan...",
  "Confirm Architecture & Continue",
  "Generating Implementation Plan...",
  "Confirm Plan & Start Execution",
  "Initializing Sandbox Environment...",
  "Loading architecture plan...",
  "Loading implementation plan...",
  "Container is ready, initializing sandbox...",
  "Container is being created, please wait...",
  "Initializing sandbox environment (Attempt {number})...",
  "Waiting for container to be ready...",
  "No execution steps available",
  "Loading execution progress...",
  "All execution steps completed successfully!",
  "Proceed to Validation Stage",
  "Running",
  "Not Running",
  "Stopped",
  "Terminated",
  "Pending",
  "Waiting",
  "Unknown",
  "Start Sandbox",
  "Stop Sandbox",
  "Backing up sandbox...",
  "Stopping sandbox...",
  "Starting sandbox...",
  "Never backed up",
  "Nothing happened yet",
  "Nothing decided yet",
  "Just now",
  "{number} minutes ago",
  "{number} hours ago",
  "Yesterday",
  "{number} days ago",
];

/**
 * A value for each `{…}` of a text.
 * @typedef {Record<string, string | number | undefined>} Values
 */

/**
 * A text with its `{…}` filled in.
 * @param {string} text
 * @param {Values} [values]
 */
export function filled(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    if (!(name in values)) throw new Error(`"${text}" needs ${name}`);
    return String(values[name]);
  });
}
