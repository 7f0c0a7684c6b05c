/**
 * What was typed and not yet sent.
 *
 * Drafts outlive the field: another stage, Back and a closed pane keep them in memory, and a reload finds them in the
 * tab's storage, where they are only between two documents. A draft with a secret is never stored: the browser asks
 * before the page that holds it goes. Where a session has ended, nothing is stored and nobody is asked.
 */
import { useState } from "react";
import { installationId } from "./session";
import { readStored } from "./stored";

const STORED_KEY = "groundcrew:drafts";

interface Draft {
  value: unknown;
  isSecret: boolean;
}

export class Drafts {
  readonly #storage: Storage;
  readonly #kept: Map<string, Draft>;

  /** Takes the drafts of the document before this one out of the storage. */
  constructor(storage: Storage) {
    this.#storage = storage;
    const stored = readStored(storage, STORED_KEY);
    const known = typeof stored === "object" && stored !== null ? Object.entries(stored) : [];
    this.#kept = new Map(known.map(([key, value]) => [key, { value, isSecret: false }]));
    if (this.#kept.size > 0) storage.removeItem(STORED_KEY);
  }

  get(key: string): unknown {
    return this.#kept.get(key)?.value;
  }

  put(key: string, value: unknown, isSecret = false) {
    this.#kept.set(key, { value, isSecret });
  }

  drop(key: string) {
    this.#kept.delete(key);
  }

  hasSecret(): boolean {
    return [...this.#kept.values()].some(({ isSecret }) => isSecret);
  }

  /** Stores the drafts without secrets for the next document of this tab. */
  store() {
    const open = [...this.#kept].filter(([, { isSecret }]) => !isSecret);
    if (open.length === 0) return;
    const values = Object.fromEntries(open.map(([key, { value }]) => [key, value]));
    try {
      this.#storage.setItem(STORED_KEY, JSON.stringify(values));
    } catch (error) {
      console.error("The drafts could not be stored", error);
    }
  }
}

export const drafts = new Drafts(sessionStorage);

window.addEventListener("pagehide", () => {
  if (installationId()) drafts.store();
});
window.addEventListener("beforeunload", (event) => {
  if (installationId() && drafts.hasSecret()) event.preventDefault();
});

/** A text field's value, kept as a draft. */
export function useDraftText(key: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => {
    const kept = drafts.get(key);
    return typeof kept === "string" ? kept : "";
  });
  return [
    text,
    (next) => {
      if (next === "") drafts.drop(key);
      else drafts.put(key, next);
      setText(next);
    },
  ];
}
