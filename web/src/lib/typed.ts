/**
 * Text that a person has typed and not yet sent, kept in this tab.
 *
 * Back, a reload and an ended session do not lose it. Each entry belongs to the installation under which it was typed:
 * nobody else who signs in to the same tab is offered it, and signing out deletes it.
 */
import { installationId } from "./session";

const PREFIX = "groundcrew:typed:";

const keyOf = (name: string) => `${PREFIX}${installationId() ?? ""}:${name}`;

export const typed = {
  get(name: string): unknown {
    try {
      return JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "null");
    } catch {
      return null;
    }
  },
  /** Keeps a value; undefined deletes it. A full storage keeps nothing more, and typing goes on. */
  put(name: string, value: unknown) {
    try {
      if (value === undefined) sessionStorage.removeItem(keyOf(name));
      else sessionStorage.setItem(keyOf(name), JSON.stringify(value));
    } catch (error) {
      console.error("What was typed could not be kept", error);
    }
  },
};

/** Clears the storage of an ended session, then puts back what was typed in it and never sent. */
export function clearExceptTyped(storage: Storage) {
  const kept = Object.keys(storage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => [key, storage.getItem(key) ?? ""] as const);
  storage.clear();
  for (const [key, value] of kept) storage.setItem(key, value);
}
