/**
 * What each file of a script holds before and after the script writes it.
 *
 * A script can write a file, change it by a command, and append to it: the second write does not meet the file that is
 * there now. Each write is compared with what the script itself left, or is reported as unknown.
 */
import { commandLines, type Heredoc, type Script } from "./script";

/** A file's content; `new` means that there is no file yet. */
export type Content = { is: "unknown" | "new" } | { is: "there"; text: string };

export type WrittenFile = Heredoc & { file: string };

/** One write: the file before it and after it. */
export interface Writing {
  heredoc: WrittenFile;
  before: Content;
  after: Content;
  /** Whether the script wrote or may have changed the file above. */
  again: boolean;
}

const UNKNOWN: Content = { is: "unknown" };

export const isWritten = (heredoc: Heredoc): heredoc is WrittenFile => heredoc.file !== undefined;

/** The writes of a script in order; `present` is the content of a file before the script runs. */
export function writingsOf(script: Script, present: (file: string) => Content): Writing[] {
  const last = new Map<string, Writing>();
  return script.heredocs.filter(isWritten).map((heredoc) => {
    const earlier = last.get(heredoc.file);
    const since = earlier?.heredoc.end ?? -1;
    const touched = mentions(script, heredoc.file, since, heredoc.opened);
    const left = earlier ? leftBy(earlier) : present(heredoc.file);
    const before = touched && (earlier || heredoc.appends) ? UNKNOWN : left;
    const writing = {
      heredoc,
      before,
      after: written(heredoc, before),
      again: earlier !== undefined || touched,
    };
    last.set(heredoc.file, writing);
    return writing;
  });
}

/** The known content of a file after a write: none if the write may not happen, or may happen more than once. */
const leftBy = ({ heredoc, after }: Writing): Content => (heredoc.conditional ? UNKNOWN : after);

function written({ text, appends }: WrittenFile, before: Content): Content {
  if (!appends || before.is === "new") return { is: "there", text };
  return before.is === "there" ? { is: "there", text: before.text + text } : UNKNOWN;
}

/** Whether a command between two lines names the file, and so may have changed it. */
function mentions(script: Script, file: string, after: number, until: number): boolean {
  const name = file.split("/").at(-1) ?? file;
  const openers = new Set(script.heredocs.filter(isWritten).map(({ opened }) => opened));
  return commandLines(script).some((at) => {
    if (at <= after || at >= until || openers.has(at)) return false;
    return new RegExp(`(?:^|[^\\w.-])${escaped(name)}(?![\\w.-])`).test(script.lines[at] ?? "");
  });
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
