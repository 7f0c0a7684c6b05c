/**
 * Text that was typed and not yet sent.
 *
 * Drafts outlive the field: they stay in memory while the user visits another stage, goes back or closes a pane. After
 * a reload or the end of a session they are found in the tab's storage, which holds them only between two documents.
 * They belong to the installation under which they were typed: another one that signs in to the same tab does not get
 * them, and signing out deletes them. A text is stored only after a search has found no secret in it. Until then an
 * earlier text without a secret is stored in its place, and the browser asks before the page that holds the newer one
 * closes.
 */
import { installationId } from "./session";
import { readStored } from "./stored";

const PREFIX = "groundcrew:drafts:";

interface Draft {
  value: unknown;
  /** The latest value without a secret, as JSON, which may be stored; undefined if there is none. */
  harmless: string | undefined;
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

  /** Keeps a value in memory; undefined drops it. */
  put(key: string, value: unknown) {
    if (value === undefined) this.drop(key);
    else this.#own().set(key, { value, harmless: this.#own().get(key)?.harmless });
  }

  /** Lets the draft be stored if it still has this value, in which a search found no secret. */
  allow(key: string, value: unknown) {
    const draft = this.#own().get(key);
    if (draft && draft.value === value) draft.harmless = JSON.stringify(value);
  }

  /** Forgets what might have been stored of a draft if it still has this value, in which a search found a secret. */
  forbid(key: string, value: unknown) {
    const draft = this.#own().get(key);
    if (draft && draft.value === value) draft.harmless = undefined;
  }

  /** Whether the draft has a value, and it may be stored. */
  isHarmless(key: string): boolean {
    const draft = this.#own().get(key);
    return draft !== undefined && JSON.stringify(draft.value) === draft.harmless;
  }

  drop(key: string) {
    this.#own().delete(key);
  }

  /** Whether a text would be lost with this document: it holds a secret, or no search has seen it. */
  wouldLose(): boolean {
    return [...this.#own().values()].some(({ value, harmless }) => JSON.stringify(value) !== harmless);
  }

  /** Stores the drafts without secrets for the next document of this tab, and removes those of an earlier document. */
  store() {
    this.#own();
    if (this.#of === null) return;
    const open = [...this.#kept].flatMap(([key, { harmless }]) =>
      harmless === undefined ? [] : [`${JSON.stringify(key)}:${harmless}`],
    );
    try {
      if (open.length === 0) this.#storage().removeItem(PREFIX + this.#of);
      else this.#storage().setItem(PREFIX + this.#of, `{${open.join(",")}}`);
    } catch (error) {
      console.error("The drafts could not be stored", error);
    }
  }

  /** Forgets everything that an ended session has stored, except its drafts. */
  outlive() {
    this.store();
    try {
      const storage = this.#storage();
      const kept = Object.keys(storage)
        .filter((key) => key.startsWith(PREFIX))
        .map((key) => [key, storage.getItem(key) ?? ""] as const);
      storage.clear();
      for (const [key, value] of kept) storage.setItem(key, value);
    } catch (error) {
      console.error("The drafts could not be kept", error);
    }
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
    return new Map(known.map(([key, value]) => [key, { value, harmless: JSON.stringify(value) }]));
  }
}

export const drafts = new Drafts(() => sessionStorage, installationId);

/** Stores the drafts when this document goes, and asks before it goes with a text that may not be stored. */
export function keepDrafts() {
  window.addEventListener("pagehide", () => drafts.store());
  window.addEventListener("beforeunload", (event) => {
    if (drafts.wouldLose()) event.preventDefault();
  });
}
