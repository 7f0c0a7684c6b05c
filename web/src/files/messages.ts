/** The messages between the file browser and the sandbox, over the same kind of connection as the terminal's. */
import { type Frame, readFrame } from "../socket/frame";
import type { FileEntry, FileFailure, FileKind, FilesAnswer } from "../socket/protocol";

/** How much of a file fits one frame, in bytes of JSON; a frame holds 32 KB. */
const PART_BYTES = 16 * 1024;

export type Answer = FilesAnswer;

type Known = Answer["type"];

/** One reader for each type of answer: a new type in the protocol does not compile without one. */
const READERS: { [T in Known]: (frame: Frame) => Extract<Answer, { type: T }> } = {
  "files.listed": (frame) => ({
    type: "files.listed",
    ...about(frame),
    entries: entriesOf(frame.field("entries")),
    truncated: frame.field("truncated") === true,
    ...part(frame),
  }),
  "files.content": (frame) => ({
    type: "files.content",
    ...about(frame),
    content: frame.text("content"),
    ...version(frame),
    ...part(frame),
  }),
  "files.written": (frame) => ({ type: "files.written", ...about(frame), ...version(frame) }),
  "files.failed": ({ text }) => ({
    type: "files.failed",
    request: text("request"),
    // A newer gateway may have reasons that equal none of these.
    code: text("code") as FileFailure,
    detail: text("detail"),
  }),
};

const about = ({ text }: Frame) => ({ request: text("request"), path: text("path") });
const version = ({ text, number }: Frame) => ({ sha256: text("sha256"), bytes: number("bytes", 0) });
const part = ({ number }: Frame) => ({ part: number("part", 1), parts: number("parts", 1) });

/** An answer about files; undefined for other messages and those that this version does not support. */
export function filesAnswer(frame: unknown): Answer | undefined {
  const read = readFrame(frame);
  const type = read?.field("type");
  return read && typeof type === "string" && isKnown(type) ? READERS[type](read) : undefined;
}

const isKnown = (type: string): type is Known => Object.hasOwn(READERS, type);

const KINDS: Record<FileKind, true> = { file: true, directory: true, link: true, other: true };

const kindOf = (kind: unknown): FileKind =>
  typeof kind === "string" && Object.hasOwn(KINDS, kind) ? (kind as FileKind) : "other";

function entriesOf(value: unknown): FileEntry[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown) => {
    const field = (name: string): unknown => Reflect.get(Object(entry), name);
    return {
      name: String(field("name") ?? ""),
      kind: kindOf(field("kind")),
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
