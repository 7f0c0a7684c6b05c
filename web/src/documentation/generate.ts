/**
 * Generates documentation: requests it, and polls until both of its parts exist. Independent of React and of the
 * network, so that every path through it can be tested.
 */
import type { Documentation } from "../api/documentation";

/** How often the documentation is read while it is being written, in milliseconds. */
export const POLL_MS = 5_000;
/** How often it is read before giving up: five minutes in all. */
export const MAX_POLLS = 60;

const FAILED = "Failed to load/generate documentation. Please try again.";
const TIMEOUT = "Timeout waiting for documentation to be ready";

/** The server's placeholder for a text that was not written. */
const NO_DOCUMENTATION = ["No documentation has been created yet.", "No documentation found."];
const NO_QUICKSTART = ["No quickstart guide has been created yet.", "No documentation found."];

type Texts = Pick<Documentation, "documentation" | "quickstart">;

/** Whether either part still has to be written. */
export function isMissing({ documentation, quickstart }: Texts): boolean {
  return hasNone(documentation, NO_DOCUMENTATION) || hasNone(quickstart, NO_QUICKSTART);
}

const hasNone = (text: string, placeholders: string[]) =>
  text.trim() === "" || placeholders.includes(text.trim());

export interface GenerationSteps {
  /** Requests it; resolves at the end of the writer's reply. */
  generate: () => Promise<void>;
  read: () => Promise<Documentation>;
  wait: (milliseconds: number) => Promise<void>;
}

/** Waits until both parts exist, or throws an error whose message is for the user. */
export async function generateDocumentation(steps: GenerationSteps): Promise<Documentation> {
  const { generate, read, wait } = steps;
  const failed = new Promise<never>((_, reject) => {
    generate().catch((cause: unknown) => reject(new Error(FAILED, { cause })));
  });
  // Polling continues during the reply: the documents exist before its last word.
  for (let poll = 1; poll <= MAX_POLLS; poll += 1) {
    await Promise.race([wait(POLL_MS), failed]);
    const documentation = await read().catch((error: unknown) => {
      console.error("The documentation could not be read", error);
      return undefined;
    });
    if (documentation && !isMissing(documentation)) return documentation;
  }
  throw new Error(TIMEOUT);
}
