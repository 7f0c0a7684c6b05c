/** The rows of the file tree and its keyboard navigation, independent of rendering and of calls. */

import type { FileEntry, FileKind } from "../socket/protocol";
import type { Listing } from "./connection";
import { byteLength } from "./messages";

/** The known content of a folder. */
export interface Folder {
  listing?: Listing | undefined;
  problem?: string | undefined;
}

export interface EntryRow {
  row: "entry";
  path: string;
  name: string;
  kind: FileKind;
  /** 1 for entries of the workspace itself. */
  level: number;
  /** Its place among its siblings, from 1, and how many there are. */
  position: number;
  siblings: number;
  /** Only for folders. */
  expanded: boolean | undefined;
  bytes: number;
  modified: string;
}

/** A note about a folder, in place of entries. */
export interface NoteRow {
  row: "note";
  path: string;
  level: number;
  note: "loading" | "empty" | "truncated" | "problem";
  text: string;
}

export type Row = EntryRow | NoteRow;

export const join = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

export const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The folders that lead to a path, outermost first, without the workspace itself. */
export function foldersTo(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

const collator = new Intl.Collator("en", { numeric: true });

/** Folders first, then by name with numbers in order. */
export function sorted(entries: readonly FileEntry[]): FileEntry[] {
  const last = (entry: FileEntry) => Number(entry.kind !== "directory");
  return [...entries].sort((a, b) => last(a) - last(b) || collator.compare(a.name, b.name));
}

/** Every row of the tree from top to bottom; the content of closed folders is left out. */
export function rowsOf(
  folder: (path: string) => Folder,
  expanded: ReadonlySet<string>,
  path = "",
  level = 1,
): Row[] {
  const { listing, problem } = folder(path);
  const note = (kind: NoteRow["note"], text: string): NoteRow => ({
    row: "note",
    path,
    level,
    note: kind,
    text,
  });
  if (!listing) {
    return [problem === undefined ? note("loading", "Loading...") : note("problem", problem)];
  }
  if (listing.entries.length === 0) {
    return [note("empty", level === 1 ? "The workspace is empty." : "This folder is empty.")];
  }
  const rows = sorted(listing.entries).flatMap((entry, index): Row[] => {
    const at = join(path, entry.name);
    const open = entry.kind === "directory" ? expanded.has(at) : undefined;
    const row: EntryRow = {
      row: "entry",
      path: at,
      name: entry.name,
      kind: entry.kind,
      level,
      position: index + 1,
      siblings: listing.entries.length,
      expanded: open,
      bytes: entry.bytes,
      modified: entry.modified,
    };
    return open ? [row, ...rowsOf(folder, expanded, at, level + 1)] : [row];
  });
  if (listing.truncated) {
    rows.push(
      note("truncated", "There is more in this folder than is listed here; the terminal shows all of it."),
    );
  }
  return rows;
}

/** The effect of a key on the tree. */
type TreeMove = { to: string } | { expand: string } | { collapse: string } | { open: string };

/** The effect of a key on the focused entry; undefined for keys that the tree does not use. */
export function treeMove(rows: readonly Row[], path: string, key: string): TreeMove | undefined {
  const entries = rows.filter((row) => row.row === "entry");
  const at = entries.findIndex((row) => row.path === path);
  const row = entries[at];
  if (!row) return undefined;
  const to = (index: number): TreeMove | undefined => {
    const target = entries[index];
    return target && { to: target.path };
  };
  switch (key) {
    case "ArrowDown":
      return to(at + 1);
    case "ArrowUp":
      return to(at - 1);
    case "Home":
      return to(0);
    case "End":
      return to(entries.length - 1);
    case "ArrowRight":
      if (row.expanded === undefined) return undefined;
      if (!row.expanded) return { expand: path };
      return entries[at + 1]?.level === row.level + 1 ? to(at + 1) : undefined;
    case "ArrowLeft":
      if (row.expanded) return { collapse: path };
      return row.level > 1 ? { to: parentOf(path) } : undefined;
    case "Enter":
    case " ":
      if (row.expanded === undefined) return { open: path };
      return row.expanded ? { collapse: path } : { expand: path };
    default:
      return key.length === 1 ? startingWith(entries, at, key) : undefined;
  }
}

/** The next entry whose name begins with a letter, wrapping around at the end. */
function startingWith(entries: readonly EntryRow[], at: number, letter: string): TreeMove | undefined {
  const order = [...entries.slice(at + 1), ...entries.slice(0, at)];
  const found = order.find((row) => row.name.toLowerCase().startsWith(letter.toLowerCase()));
  return found && { to: found.path };
}

/** How long a name may be in the sandbox, in bytes. */
const MAX_NAME_BYTES = 255;

/** The reason why a name for a new file is invalid, if it is. */
export function nameProblem(name: string): string | undefined {
  const parts = name.split("/");
  if (name.trim() === "") return "A file needs a name.";
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    return "The name may include folders, but must stay inside the workspace.";
  }
  if (parts.some((part) => part !== part.trim() || /[\\\p{Cc}]/u.test(part))) {
    return "Leave out backslashes, line breaks, and spaces at the start or end.";
  }
  const long = parts.find((part) => byteLength(part) > MAX_NAME_BYTES);
  if (long !== undefined) {
    return `"${[...long].slice(0, 20).join("")}..." is too long: a name has at most ${MAX_NAME_BYTES} bytes.`;
  }
  return undefined;
}
