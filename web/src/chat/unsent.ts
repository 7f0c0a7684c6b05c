/**
 * Messages that the server did not accept. The conversation shows them only until the page is left: when their chat is
 * opened again, they return to its input. They are kept as drafts are, so that none with a secret is stored.
 */
import { dropChecked, keepChecked, type Typed } from "../api/checked-draft";
import { UNMARKED } from "../api/drafts";
import { drafts } from "../lib/drafts";
import { asDraft } from "./draft";

/** The key of a chat's draft. */
export const draftKey = (projectId: number, agent: string) => `${projectId}:${agent}`;

const unsentKey = (draft: string) => `${draft}:unsent`;

/** Whether this message is the text of the draft, in which a search has found no secret. */
export const isHarmlessDraft = (draft: string, message: string): boolean =>
  asDraft(drafts.get(draft)).text.trim() === message && drafts.isHarmless(draft);

/** Keeps a message that was not accepted; `harmless` if a search has found no secret in it. */
export function keepUnsent(draft: string, typed: Typed, harmless: boolean) {
  const key = unsentKey(draft);
  const before = read(key);
  if (before.some(({ message }) => message === typed.message)) return;
  keep(key, [...before, typed], harmless && (before.length === 0 || drafts.isHarmless(key)));
}

/** Forgets a message that was accepted after all. */
export function dropSent(draft: string, message: string) {
  const key = unsentKey(draft);
  const before = read(key);
  const left = before.filter((one) => one.message !== message);
  if (left.length < before.length) keep(key, left, drafts.isHarmless(key));
}

/** What the input of a chat begins with: its messages that were not accepted, and then what was being typed. */
export function beginning(draft: string, multiline: boolean): { text: string; marks: Typed["marks"] } {
  const { text, marks } = asDraft(drafts.get(draft));
  const typed = text === "" ? [] : [{ message: text, marks }];
  const { message, marks: all } = joined([...read(unsentKey(draft)), ...typed]);
  // An input of one line would leave line breaks out, and the marks would be on other characters.
  return { text: multiline ? message : message.replaceAll("\n", " "), marks: all };
}

/** Forgets the messages that have returned to the input. */
export const dropReturned = (draft: string) => dropChecked(unsentKey(draft));

function keep(key: string, all: Typed[], harmless: boolean) {
  if (all.length === 0) return dropChecked(key);
  keepChecked(key, all, joined(all));
  // Without a connection the search that has just begun fails.
  if (harmless) drafts.allow(key, all);
}

function read(key: string): Typed[] {
  const kept = drafts.get(key);
  if (!Array.isArray(kept)) return [];
  return kept.filter((one): one is Typed => typeof one?.message === "string" && one.marks !== undefined);
}

const BETWEEN = "\n\n";

function joined(all: readonly Typed[]): Typed {
  return all.reduce(
    (before, { message, marks }) => {
      if (before.message === "") return { message, marks };
      const by = before.message.length + BETWEEN.length;
      const shifted = (ranges: Typed["marks"]["secrets"]) =>
        ranges.map(({ start, end }) => ({ start: start + by, end: end + by }));
      return {
        message: before.message + BETWEEN + message,
        marks: {
          secrets: [...before.marks.secrets, ...shifted(marks.secrets)],
          notSecrets: [...before.marks.notSecrets, ...shifted(marks.notSecrets)],
        },
      };
    },
    { message: "", marks: UNMARKED },
  );
}
