/** The messages between browser and gateway. `cargo dev openapi` generates this file from shared/protocol. */

export type FromBrowser = { "type": "attach", 
/**
 * The terminal's name.
 */
terminal: string, 
/**
 * Byte offset in the terminal's stream.
 */
offset: number, 
/**
 * Height in lines.
 */
rows: number, 
/**
 * Width in columns.
 */
cols: number, } | { "type": "input", 
/**
 * The keys, as the terminal sends them.
 */
input: string, 
/**
 * The terminal's name.
 */
terminal: string, 
/**
 * The input's number on this connection, from 0.
 */
seq?: number, 
/**
 * A command that was typed for the user: Enter follows `input` if the shell's prompt holds exactly this text.
 */
run_typed?: string, 
/**
 * A command that an agent types for the user, whole, if `input` is a part of it. The sandbox types this part only if
 * the shell's prompt holds exactly the text `after`, and answers `not_typed` otherwise.
 */
command?: string, 
/**
 * What was typed of that command before this part; nothing if it is left out.
 */
after?: string, } | { "type": "resize", 
/**
 * Height in lines.
 */
rows: number, 
/**
 * Width in columns.
 */
cols: number, 
/**
 * The terminal's name.
 */
terminal: string, } | { "type": "shown", 
/**
 * The terminal's name.
 */
terminal: string, 
/**
 * Byte offset in the terminal's stream.
 */
offset: number, } | FilesRequest;

export type ToBrowser = { "type": "output", 
/**
 * The text.
 */
data: string, 
/**
 * The terminal's name.
 */
terminal: string, 
/**
 * Byte offset in the terminal's stream.
 */
offset: number, 
/**
 * The byte after the last.
 */
next: number, } | { "type": "status", 
/**
 * The state of this connection to the sandbox.
 */
state: LinkState, 
/**
 * A text for the user.
 */
detail: string, 
/**
 * Whether this connection announces changes, so that the page needs to poll less.
 */
announces: boolean, } | { "type": "changed" } | { "type": "exit", 
/**
 * The terminal's name.
 */
terminal: string, 
/**
 * The shell's exit code.
 */
exit_code: number, } | { "type": "not_typed", 
/**
 * The terminal's name.
 */
terminal: string, 
/**
 * The whole command.
 */
command: string, } | { "type": "error", 
/**
 * A text for the user.
 */
detail: string, } | FilesAnswer;

export type LinkState = "attached" | "waiting" | "lost";

export type FilesRequest = { "type": "files.list", 
/**
 * The id that the answer repeats.
 */
request: string, 
/**
 * The path, relative to the workspace.
 */
path: string, } | { "type": "files.read", 
/**
 * The id that the answer repeats.
 */
request: string, 
/**
 * The path, relative to the workspace.
 */
path: string, 
/**
 * The first byte to read.
 */
offset: number, 
/**
 * Whether to read only the end: up to [`FILE_END_BYTES`], from the beginning of a line if there is one. A
 * sandbox of an earlier version reads the file from `offset` on.
 */
end: boolean, } | { "type": "files.write", 
/**
 * The id that the answer repeats.
 */
request: string, 
/**
 * The path, relative to the workspace.
 */
path: string, 
/**
 * Lower-case hex SHA-256 of the content to replace; without it, the path must be free.
 */
base_sha256: string | null, 
/**
 * The text of this part.
 */
content: string, 
/**
 * The number of this part, from 1.
 */
part: number, 
/**
 * How many parts there are.
 */
parts: number, };

export type FilesAnswer = { "type": "files.listed", 
/**
 * The id that the answer repeats.
 */
request: string, 
/**
 * The path, relative to the workspace.
 */
path: string, 
/**
 * The entries of this part.
 */
entries: Array<FileEntry>, 
/**
 * Whether the directory has more than [`LISTED_ENTRIES`] entries.
 */
truncated: boolean, 
/**
 * The number of this part, from 1.
 */
part: number, 
/**
 * How many parts there are.
 */
parts: number, } | { "type": "files.content", 
/**
 * The id that the answer repeats.
 */
request: string, 
/**
 * The path, relative to the workspace.
 */
path: string, 
/**
 * The text of this part.
 */
content: string, 
/**
 * Lower-case hex SHA-256 of the whole file, or of its end if that was asked for.
 */
sha256: string, 
/**
 * Size of the whole file.
 */
bytes: number, 
/**
 * The number of this part, from 1.
 */
part: number, 
/**
 * How many parts there are.
 */
parts: number, } | { "type": "files.written", 
/**
 * The id that the answer repeats.
 */
request: string, 
/**
 * The path, relative to the workspace.
 */
path: string, 
/**
 * Lower-case hex SHA-256 of the file as it is now.
 */
sha256: string, 
/**
 * Size in bytes.
 */
bytes: number, } | { "type": "files.failed", 
/**
 * The id that the answer repeats.
 */
request: string, 
/**
 * Reason for the refusal.
 */
code: FileFailure, 
/**
 * A text for the user.
 */
detail: string, };

export type FileEntry = { 
/**
 * Its name, without the directory.
 */
name: string, 
/**
 * Kind of file.
 */
kind: FileKind, 
/**
 * Size in bytes.
 */
bytes: number, 
/**
 * When the file was last changed, as RFC 3339.
 */
modified: string, 
/**
 * Whether the file can be opened here, judged without reading it: small enough and not a private key.
 */
editable: boolean, };

export type FileKind = "file" | "directory" | "link" | "other";

export type FileFailure = "not_found" | "not_a_file" | "not_a_directory" | "too_large" | "binary" | "conflict" | "outside" | "denied" | "no_space" | "unavailable";
