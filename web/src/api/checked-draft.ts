/**
 * Keeps what is being typed, and lets it be stored only after the server has found no secret in it.
 *
 * Every field that keeps its text does it here. The search goes on while the user visits another page of the
 * application; a text for which it fails stays in memory only.
 */
import { useState } from "react";
import { drafts } from "../lib/drafts";
import { projectIdOf } from "../lib/paths";
import { draftSecrets, type Found, type Marks, UNMARKED } from "./drafts";
import { MAX_MESSAGE_CHARS } from "./limits";

/** How long the user has to pause before the draft is searched, in milliseconds. */
const PAUSE_MS = 300;
/**
 * A text longer than a message is searched in parts. How far they overlap, so that each secret is whole in one of them.
 */
const OVERLAP_CHARS = 8_000;

/** What is searched: a message with its author's corrections. */
export interface Typed {
  message: string;
  marks: Marks;
}

const searches = new Map<string, AbortController>();

/**
 * Keeps a value in memory at once, and searches `typed` for secrets once its author pauses.
 *
 * @param value what the field reads back
 * @param onFound gets the finds, unless the draft has changed in the meantime
 */
export function keepChecked(
  key: string,
  value: unknown,
  typed: Typed,
  onFound: (found: Found[]) => void = () => undefined,
) {
  const search = startSearch(key);
  drafts.put(key, value);
  const end = (found: Found[]) => {
    if (found.length === 0 && typed.marks.secrets.length === 0) drafts.allow(key, value);
    else drafts.forbid(key, value);
    onFound(found);
  };
  if (typed.message.trim() === "") {
    end([]);
    return;
  }
  // The user may have left the project's pages by the time of the search.
  const project = projectIdOf(window.location.pathname);
  const timer = setTimeout(() => {
    searchAll(typed, project, search.signal).then(
      (found) => search.signal.aborted || end(found),
      (error: unknown) => search.signal.aborted || console.error("The draft could not be checked", error),
    );
  }, PAUSE_MS);
  search.signal.addEventListener("abort", () => clearTimeout(timer));
}

/** Drops a draft: its text was sent, or is not wanted. */
export function dropChecked(key: string) {
  searches.get(key)?.abort();
  drafts.drop(key);
}

/** Ends the search for an earlier text of this draft. */
function startSearch(key: string): AbortController {
  searches.get(key)?.abort();
  const search = new AbortController();
  searches.set(key, search);
  return search;
}

/**
 * The secrets in a text of any length; in one that is too long for a message, the author's corrections do not count.
 */
async function searchAll(typed: Typed, project: number | undefined, signal: AbortSignal): Promise<Found[]> {
  const { message, marks } = typed;
  if (message.length <= MAX_MESSAGE_CHARS) return draftSecrets(message, marks, project, signal);
  const found = new Map<number, Found>();
  for (const { start, text } of partsOf(message)) {
    for (const one of await draftSecrets(text, UNMARKED, project, signal)) {
      found.set(start + one.start, { ...one, start: start + one.start, end: start + one.end });
    }
  }
  return [...found.values()];
}

/** Overlapping parts of a text, none of which begins or ends inside a character. */
export function partsOf(text: string): { start: number; text: string }[] {
  const edge = (at: number) => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at);
  const parts = [];
  for (let at = 0; at === 0 || at + OVERLAP_CHARS < text.length; at += MAX_MESSAGE_CHARS - OVERLAP_CHARS) {
    const start = edge(at);
    parts.push({ start, text: text.slice(start, edge(start + MAX_MESSAGE_CHARS)) });
  }
  return parts;
}

/** The lines of an edited text that the text before it does not have: only these were typed. */
export function typedLines(before: string, edited: string): string {
  const known = new Set(before.split("\n"));
  return edited
    .split("\n")
    .filter((line) => !known.has(line))
    .join("\n");
}

/**
 * What is typed under a key; undefined for nothing.
 *
 * @param read the draft as it was kept, if it is one of this field
 */
export function useKept<T>(
  key: string,
  read: (value: unknown) => T | undefined,
): [value: T | undefined, put: (value: T | undefined, typed: string) => void] {
  const kept = () => ({ key, value: read(drafts.get(key)) });
  const [now, setNow] = useState(kept);
  // Under another key there may be another text.
  const current = now.key === key ? now : kept();
  const put = (value: T | undefined, typed: string) => {
    if (value === undefined) dropChecked(key);
    else keepChecked(key, value, { message: typed, marks: UNMARKED });
    setNow({ key, value });
  };
  return [current.value, put];
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The text that is typed under a key; undefined for none. */
export function useKeptText(
  key: string,
): [text: string | undefined, put: (text: string | undefined) => void] {
  const [text, put] = useKept(key, asText);
  return [text, (next) => put(next, next ?? "")];
}
