/** What the file browser and the sandbox say to each other, over the same kind of connection as the terminal's. */
import { readFrame } from "../terminal/frame";

/** The largest file that is read or written, in bytes. */
export const FILE_BYTES = 64 * 1024;
/** The most of a file in one frame, in bytes as JSON writes it; a frame holds 32 KB. */
const PART_BYTES = 16 * 1024;

export type FilesRequest =
  | { type: "files.list"; request: string; path: string }
  | { type: "files.read"; request: string; path: string; offset: number }
  | {
      type: "files.write";
      request: string;
      path: string;
      base_sha256: string | null;
      content: string;
      part: number;
      parts: number;
    };

export type EntryKind = "file" | "directory" | "link" | "other";

export interface Entry {
  name: string;
  kind: EntryKind;
  bytes: number;
  /** RFC 3339. */
  modified: string;
  /** As far as a look from outside tells: small enough, and no private key. */
  editable: boolean;
}

export interface Part {
  part: number;
  parts: number;
}

export type FilesAnswer =
  | ({ type: "files.listed"; request: string; entries: Entry[]; truncated: boolean } & Part)
  | ({ type: "files.content"; request: string; content: string; sha256: string; bytes: number } & Part)
  | { type: "files.written"; request: string; sha256: string; bytes: number }
  | { type: "files.failed"; request: string; code: string; detail: string };

/** An answer about files; other messages, and what this version does not know, are nothing. */
export function filesAnswer(frame: unknown): FilesAnswer | undefined {
  const read = readFrame(frame);
  if (!read) return undefined;
  const { field, text, number } = read;
  const request = text("request");
  const part = { part: number("part", 1), parts: number("parts", 1) };
  switch (field("type")) {
    case "files.listed":
      return {
        type: "files.listed",
        request,
        entries: entriesOf(field("entries")),
        truncated: field("truncated") === true,
        ...part,
      };
    case "files.content":
      return {
        type: "files.content",
        request,
        content: text("content"),
        sha256: text("sha256"),
        bytes: number("bytes", 0),
        ...part,
      };
    case "files.written":
      return { type: "files.written", request, sha256: text("sha256"), bytes: number("bytes", 0) };
    case "files.failed":
      return { type: "files.failed", request, code: text("code"), detail: text("detail") };
    default:
      return undefined;
  }
}

const KINDS: readonly EntryKind[] = ["file", "directory", "link", "other"];

function entriesOf(value: unknown): Entry[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown) => {
    const field = (name: string): unknown => Reflect.get(Object(entry), name);
    return {
      name: String(field("name") ?? ""),
      kind: KINDS.find((kind) => kind === field("kind")) ?? "other",
      bytes: Number(field("bytes") ?? 0),
      modified: String(field("modified") ?? ""),
      editable: field("editable") === true,
    };
  });
}

const encoder = new TextEncoder();

export const byteLength = (text: string): number => encoder.encode(text).length;

/** A text in pieces that each fit a frame, cut between characters; an empty text is one empty piece. */
export function pieces(text: string): string[] {
  const cut: string[] = [];
  let piece = "";
  let bytes = 0;
  for (const character of text) {
    // Only control characters, quotes and backslashes grow in JSON.
    const written = byteLength(JSON.stringify(character)) - 2;
    if (bytes + written > PART_BYTES) {
      cut.push(piece);
      piece = "";
      bytes = 0;
    }
    piece += character;
    bytes += written;
  }
  return [...cut, piece];
}
