/**
 * Text that was typed and not yet sent.
 *
 * Drafts outlive the field: they stay in memory while the user visits another stage, goes back or closes a pane. After a
 * reload or the end of a session they are found in the tab's storage, which holds them only between two documents. They
 * belong to the installation under which they were typed: another one that signs in to the same tab does not get them,
 * and signing out deletes them. A draft with a secret is never stored: the browser asks before the page that holds it
 * closes.
 */
import { installationId } from "./session";
import { readStored } from "./stored";

const PREFIX = "groundcrew:drafts:";

interface Draft {
  value: unknown;
  isSecret: boolean;
}

export class Drafts {
  readonly #storage: () => Storage;
  readonly #owner: () => string | null;
  #of: string | null = null;
  #kept = new Map<string, Draft>();

  /**
   * @param storage the tab's, which a browser may refuse
   * @param owner the installation that is signed in, if any
   */
  constructor(storage: () => Storage, owner: () => string | null) {
    this.#storage = storage;
    this.#owner = owner;
  }

  get(key: string): unknown {
    return this.#own().get(key)?.value;
  }

  /** Keeps a value; undefined drops it. */
  put(key: string, value: unknown, isSecret = false) {
    if (value === undefined) this.drop(key);
    else this.#own().set(key, { value, isSecret });
  }

  drop(key: string) {
    this.#own().delete(key);
  }

  hasSecret(): boolean {
    return [...this.#own().values()].some(({ isSecret }) => isSecret);
  }

  /** Stores the drafts without secrets for the next document of this tab. */
  store() {
    const open = [...this.#own()].filter(([, { isSecret }]) => !isSecret);
    if (this.#of === null || open.length === 0) return;
    const values = Object.fromEntries(open.map(([key, { value }]) => [key, value]));
    try {
      this.#storage().setItem(PREFIX + this.#of, JSON.stringify(values));
    } catch (error) {
      console.error("The drafts could not be stored", error);
    }
  }

  /** Forgets everything that an ended session has stored, except its drafts. */
  outlive() {
    this.store();
    const storage = this.#storage();
    const kept = Object.keys(storage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => [key, storage.getItem(key) ?? ""] as const);
    storage.clear();
    for (const [key, value] of kept) storage.setItem(key, value);
  }

  /** The drafts of the installation that is signed in, with those that an earlier document stored. */
  #own(): Map<string, Draft> {
    const owner = this.#owner();
    if (owner !== this.#of) {
      this.#of = owner;
      this.#kept = owner === null ? new Map() : this.#stored(PREFIX + owner);
    }
    return this.#kept;
  }

  #stored(key: string): Map<string, Draft> {
    const storage = this.#storage();
    const stored = readStored(storage, key);
    const known = typeof stored === "object" && stored !== null ? Object.entries(stored) : [];
    if (known.length > 0) storage.removeItem(key);
    return new Map(known.map(([key, value]) => [key, { value, isSecret: false }]));
  }
}

export const drafts = new Drafts(() => sessionStorage, installationId);

/** Stores the drafts when this document goes, and asks before it goes with a secret. */
export function keepDrafts() {
  window.addEventListener("pagehide", () => drafts.store());
  window.addEventListener("beforeunload", (event) => {
    if (drafts.hasSecret()) event.preventDefault();
  });
}
