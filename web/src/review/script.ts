/**
 * What a bash script does, as far as its text shows.
 *
 * This helps reading and never decides anything: the whole script is always there to be read, every line of it appears
 * exactly once, and a line that is not recognized is shown as a command.
 */

/** A heredoc: the lines between `<<EOF` and `EOF`. */
export interface Heredoc {
  /** The line that opens it, counted from 0. */
  opened: number;
  /** Its first line, and the line of its end mark. */
  start: number;
  end: number;
  text: string;
  /** The file that it is written to; undefined if a command reads it. */
  file: string | undefined;
  /** Whether it is appended to the file. */
  appends: boolean;
  /** Whether bash expands `$NAME` in it. */
  expands: boolean;
  /** Whether it is inside a condition, a loop or a function, so that it may be written never or more than once. */
  conditional: boolean;
}

export interface Script {
  lines: string[];
  heredocs: Heredoc[];
  /** The folder of each line outside of heredocs, relative to the workspace; undefined if unknown. */
  folders: (string | undefined)[];
  /** The names with a plain value. */
  known: ReadonlyMap<string, string>;
}

/** The ranges of a script's heredocs; without an end mark there is no heredoc. */
export function readScript(text: string): Script {
  const lines = text.replace(/\n$/, "").split("\n");
  const heredocs: Heredoc[] = [];
  const known = new Map<string, string>();
  let folder: string | undefined = "";
  const folders: Script["folders"] = [];
  let depth = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    learn(known, line);
    folders[at] = folder;
    let next = at + 1;
    for (const opener of openers(line)) {
      const end = endOf(lines, next, opener);
      if (end === undefined) break;
      const { path, appends } = written(line);
      heredocs.push({
        opened: at,
        start: next,
        end,
        text: bodyOf(lines.slice(next, end), opener),
        file: path === undefined ? undefined : placed(filled(path, known), folder),
        appends,
        expands: !opener.quoted,
        conditional: depth > 0 || CONDITION.test(line),
      });
      next = end + 1;
    }
    folder = folderAfter(line, folder, known);
    depth = Math.max(0, depth + nesting(line));
    at = next - 1;
  }
  return { lines, heredocs, folders, known };
}

/** A path as a command in a folder names it, relative to the workspace. */
export const pathIn = ({ known }: Script, folder: string | undefined, path: string): string =>
  placed(filled(path, known), folder);

/** Whether a shell runs a heredoc's lines: here, or on another machine. */
export const feedsShell = ({ lines }: Script, { file, opened }: Heredoc): boolean =>
  file === undefined && /(?:^|[\s'"/|;&(])(?:(?:ba|da|z)?sh|ssh)(?=\s|['"]|$)/.test(lines[opened] ?? "");

/** A line that decides whether, or how often, its own command runs. */
const CONDITION = /&&|\|\||^\s*(?:if|for|while|until|case)\b/;

/** How many blocks a line opens, less those that it closes. */
function nesting(line: string): number {
  const code = line.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|(?:^|\s)#.*/g, " ");
  const opens = code.match(
    /(?:^|[;&|]|\b(?:then|do|else))\s*(?:if|for|while|until|case|select)\b|(?:^|\s)[({](?=\s|$)|\)\s*\{/g,
  );
  const closes = code.match(/(?:^|[;&|]\s*|\s)(?:fi|done|esac|[)}])(?=\s|$|[;&|<>])/g);
  return (opens?.length ?? 0) - (closes?.length ?? 0);
}

interface Opener {
  mark: string;
  quoted: boolean;
  /** `<<-`: tabs before its lines are not part of them. */
  indented: boolean;
}

/** The end mark of `<<EOF`, `<<-EOF`, `<<'EOF'`, `<<"EOF"` and `<<\EOF`. */
const OPENER = /^<<(-?)[ \t]*(?:'([^']+)'|"([^"]+)"|(\\?)([A-Za-z_][\w-]*))/;

/** The heredocs that a line opens, ignoring quotes and comments. */
function openers(line: string): Opener[] {
  const found: Opener[] = [];
  let quote = "";
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? "";
    if (quote !== "") {
      if (char === "\\" && quote === '"') at += 1;
      else if (char === quote) quote = "";
    } else if (char === "\\") at += 1;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "#" && /(^|\s)$/.test(line.slice(0, at))) break;
    else if (line.startsWith("<<<", at)) at += 2;
    else {
      const match = OPENER.exec(line.slice(at));
      if (!match) continue;
      const mark = match[2] ?? match[3] ?? match[5] ?? "";
      const bare = match[5] !== undefined && match[4] === "";
      found.push({ mark, quoted: !bare, indented: match[1] === "-" });
      at += match[0].length - 1;
    }
  }
  return found;
}

const bare = (line: string, { indented }: Opener) => (indented ? line.replace(/^\t+/, "") : line);

function endOf(lines: readonly string[], from: number, opener: Opener): number | undefined {
  const end = lines.findIndex((line, at) => at >= from && bare(line, opener) === opener.mark);
  return end < 0 ? undefined : end;
}

const bodyOf = (lines: readonly string[], opener: Opener) =>
  lines.map((line) => `${bare(line, opener)}\n`).join("");

/** A word of a command, with or without surrounding quotes. */
const WORD = String.raw`(?:"[^"]*"|'[^']*'|[^\s;&|<>()])+`;
const CAT = /(?:^|[;&|({]|\bthen\b|\bdo\b)\s*(?:\w+=\S*\s+)*cat\s*(?:[<>-]|$)/;
const REDIRECT = new RegExp(String.raw`(?:^|[^\d<>&])1?(>>?)\|?\s*(${WORD})`);
const TEE = new RegExp(String.raw`\btee((?:\s+-{1,2}[\w-]+)*)\s+(${WORD})`);
const INSTALL = new RegExp(String.raw`\binstall\s[^|;&]*/dev/stdin\s+(${WORD})`);

/** The file that a line writes its heredoc to. */
function written(line: string): { path: string | undefined; appends: boolean } {
  const tee = TEE.exec(line);
  if (tee?.[2]) return { path: tee[2], appends: /-\w*a|--append/.test(tee[1] ?? "") };
  const install = INSTALL.exec(line);
  if (install?.[1]) return { path: install[1], appends: false };
  const redirect = CAT.test(line) ? REDIRECT.exec(line) : null;
  return { path: redirect?.[2], appends: redirect?.[1] === ">>" };
}

const ASSIGNED =
  /^\s*(?:export\s+|readonly\s+|local\s+)?([A-Za-z_]\w*)=("[^"$`]*"|'[^']*'|[\w./~:@-]*)\s*(?:#.*)?$/;

/** Remembers `NAME=value` if the value is plain; a name that gets a second value becomes unknown. */
function learn(known: Map<string, string>, line: string) {
  const match = ASSIGNED.exec(line);
  if (!match?.[1]) return;
  known.set(match[1], known.has(match[1]) ? "" : unquote(match[2] ?? ""));
}

const unquote = (word: string) => word.replace(/["']/g, "");

/** A path in which known names are replaced by their values. */
export function filled(path: string, known: ReadonlyMap<string, string>): string {
  return unquote(path).replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, plain?: string) => {
    const name = braced ?? plain ?? "";
    return name === "HOME" ? "~" : known.get(name) || whole;
  });
}

/** A path relative to the workspace, where scripts start. */
function placed(path: string, folder: string | undefined): string {
  const inside = path.replace(/^(?:~\/workspace\/|\.\/)/, "");
  if (/^[/~$]/.test(inside) || inside !== path.replace(/^\.\//, "")) return inside;
  if (folder === undefined) return `…/${inside}`;
  return folder === "" ? inside : `${folder}/${inside}`;
}

const GOES = new RegExp(String.raw`^(?:[^#(]*&&)?\s*cd\s+(?:--\s+)?(${WORD})\s*(?:$|&&|;|\|\||#)`);

/** The folder in which the following lines run, relative to the workspace; undefined if unknown. */
function folderAfter(
  line: string,
  folder: string | undefined,
  known: ReadonlyMap<string, string>,
): string | undefined {
  const wish = GOES.exec(line)?.[1];
  if (wish === undefined) return folder;
  const path = filled(wish, known).replace(/\/$/, "");
  if (path === "~/workspace" || path === ".") return path === "." ? folder : "";
  if (path.includes("$") || path.includes("..") || path === "-") return undefined;
  return placed(path, folder);
}

/** Whether a file is in the workspace, so that its present content can be read. */
export const isInWorkspace = (file: string): boolean =>
  !/^[/~…]/.test(file) && !/[$*?`]/.test(file) && !file.split("/").includes("..");

/** The lines that are commands: all except the files that are written. */
export function commandLines({ lines, heredocs }: Script): number[] {
  const inFile = new Set<number>();
  for (const { file, start, end } of heredocs) {
    if (file === undefined) continue;
    for (let at = start; at <= end; at += 1) inFile.add(at);
  }
  return lines.map((_, at) => at).filter((at) => !inFile.has(at));
}
