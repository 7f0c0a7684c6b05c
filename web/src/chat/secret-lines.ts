/** The parts of a message about which its author can decide, as lines of a list. */
import type { Found, Marks, Range } from "../api/drafts";
import { touches } from "./draft";

export interface SecretLine extends Range {
  /** How it is sealed; undefined if it is sent as it was typed. */
  sealed: Found | undefined;
}

/**
 * One line for each part, in the order of the text: a line keeps its place when its author takes a find back. A secret
 * that appears twice in the message is one line.
 */
export function linesOf(message: string, found: readonly Found[], { notSecrets }: Marks): SecretLine[] {
  const sealed = found.filter((one) => !notSecrets.some((range) => touches(range, one)));
  // Not by their names, which change when a find before them is taken back.
  const texts = sealed.map(({ start, end }) => message.slice(start, end));
  const once = sealed.filter((_, at) => texts.indexOf(texts[at] ?? "") === at);
  const lines = [
    ...once.map((one) => ({ start: one.start, end: one.end, sealed: one })),
    ...notSecrets.map(({ start, end }) => ({ start, end, sealed: undefined })),
  ];
  return lines.sort((a, b) => a.start - b.start);
}
