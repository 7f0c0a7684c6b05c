import type { Step } from "../api/execution";

export interface Health {
  passed: number;
  planned: number;
  /** When the last check ended; undefined before the first one has. */
  at: string | undefined;
}

/** The latest results of the checks. */
export function healthOf(checks: readonly Step[]): Health {
  const ended = checks.filter(({ status }) => status === "completed" || status === "failed");
  const at = ended.map(({ since }) => since).sort((a, b) => Date.parse(b) - Date.parse(a))[0];
  return {
    passed: checks.filter(({ status }) => status === "completed").length,
    planned: checks.length,
    at,
  };
}
