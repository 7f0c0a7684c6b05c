/**
 * The open files and folders in a project's file browser.
 *
 * It outlives the screen: a user who visits another stage and returns finds the same file with the same unsaved
 * text. Only leaving the page loses it, and the browser asks before that.
 */
import { useCallback, useSyncExternalStore } from "react";

/** An unsaved edit. */
export interface Draft {
  /** The digest of the file when editing began; null for a file that does not exist yet. */
  base: string | null;
  /** The file's content at that time. */
  saved: string;
  text: string;
}

export interface Desk {
  /** The open folders of the tree. */
  expanded: ReadonlySet<string>;
  /** The entry with the keyboard's focus. */
  selected: string;
  /** The shown file. */
  file: string | undefined;
  drafts: Readonly<Record<string, Draft>>;
}

const EMPTY: Desk = { expanded: new Set(), selected: "", file: undefined, drafts: {} };

export const isDirty = (draft: Draft | undefined): boolean =>
  draft !== undefined && (draft.base === null || draft.text !== draft.saved);

export const unsavedPaths = (desk: Desk): string[] =>
  Object.entries(desk.drafts).flatMap(([path, draft]) => (isDirty(draft) ? [path] : []));

/** The desk after typing into the shown file; text equal to the saved text is not an edit. */
export function edited(
  desk: Desk,
  path: string,
  shown: { content: string; sha256: string },
  text: string,
): Desk {
  const draft = desk.drafts[path] ?? { base: shown.sha256, saved: shown.content, text };
  const next = { ...draft, text };
  return isDirty(next) ? withDraft(desk, path, next) : withoutDraft(desk, path);
}

/** The desk after a draft was saved as `content`; text typed in the meantime becomes a new draft. */
export function saved(desk: Desk, path: string, content: string, sha256: string): Desk {
  const draft = desk.drafts[path];
  if (!draft || draft.text === content) return withoutDraft(desk, path);
  return withDraft(desk, path, { base: sha256, saved: content, text: draft.text });
}

/** The desk if a draft should replace the present content rather than the content at the beginning of the edit. */
export function rebased(desk: Desk, path: string, base: string | null): Desk {
  const draft = desk.drafts[path];
  return draft ? withDraft(desk, path, { ...draft, base }) : desk;
}

export function withDraft(desk: Desk, path: string, draft: Draft): Desk {
  return { ...desk, drafts: { ...desk.drafts, [path]: draft } };
}

export function withoutDraft(desk: Desk, path: string): Desk {
  const { [path]: _, ...drafts } = desk.drafts;
  return { ...desk, drafts };
}

export function toggled(desk: Desk, path: string, open: boolean): Desk {
  const expanded = new Set(desk.expanded);
  if (open) expanded.add(path);
  else expanded.delete(path);
  return { ...desk, expanded, selected: path };
}

const desks = new Map<number, Desk>();
const watchers = new Set<() => void>();

const deskOf = (projectId: number) => desks.get(projectId) ?? EMPTY;

function subscribe(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

function askBeforeLeaving(event: BeforeUnloadEvent) {
  event.preventDefault();
}

function change(projectId: number, how: (desk: Desk) => Desk) {
  desks.set(projectId, how(deskOf(projectId)));
  const unsaved = [...desks.values()].some((desk) => unsavedPaths(desk).length > 0);
  if (unsaved) window.addEventListener("beforeunload", askBeforeLeaving);
  else window.removeEventListener("beforeunload", askBeforeLeaving);
  for (const watcher of watchers) watcher();
}

export type ChangeDesk = (how: (desk: Desk) => Desk) => void;

export function useDesk(projectId: number): [Desk, ChangeDesk] {
  const desk = useSyncExternalStore(subscribe, () => deskOf(projectId));
  return [desk, useCallback((how) => change(projectId, how), [projectId])];
}
