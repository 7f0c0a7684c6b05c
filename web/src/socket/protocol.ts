/** What browser and gateway say over the WebSocket: made from shared/protocol by `cargo dev openapi`. */

export type FromBrowser = { "type": "attach", terminal: string, offset: number, rows: number, cols: number, } | { "type": "input", input: string, terminal: string, seq?: number, 
/**
 * A command that was typed for the user: Enter follows `input` if exactly this stands at the shell's prompt.
 */
run_typed?: string, } | { "type": "resize", rows: number, cols: number, terminal: string, } | { "type": "shown", terminal: string, offset: number, } | FilesRequest;

export type ToBrowser = { "type": "output", data: string, terminal: string, offset: number, next: number, } | { "type": "status", state: LinkState, detail: string, } | { "type": "exit", terminal: string, exit_code: number, } | { "type": "error", detail: string, } | FilesAnswer;

export type LinkState = "attached" | "waiting" | "lost";

export type FilesRequest = { "type": "files.list", request: string, path: string, } | { "type": "files.read", request: string, path: string, offset: number, } | { "type": "files.write", request: string, path: string, 
/**
 * SHA-256 of what is replaced, in lower-case hex; without it there must be nothing yet.
 */
base_sha256: string | null, content: string, part: number, parts: number, };

export type FilesAnswer = { "type": "files.listed", request: string, path: string, entries: Array<FileEntry>, 
/**
 * There is more than [`LISTED_ENTRIES`].
 */
truncated: boolean, part: number, parts: number, } | { "type": "files.content", request: string, path: string, content: string, 
/**
 * Of the whole file.
 */
sha256: string, 
/**
 * Size of the whole file.
 */
bytes: number, part: number, parts: number, } | { "type": "files.written", request: string, path: string, sha256: string, bytes: number, } | { "type": "files.failed", request: string, code: FileFailure, 
/**
 * A text for the user.
 */
detail: string, };

export type FileEntry = { name: string, kind: FileKind, bytes: number, 
/**
 * RFC 3339.
 */
modified: string, 
/**
 * A file that can be opened here, as far as a look from outside tells: small enough and no private key.
 */
editable: boolean, };

export type FileKind = "file" | "directory" | "link" | "other";

export type FileFailure = "not_found" | "not_a_file" | "not_a_directory" | "too_large" | "binary" | "conflict" | "outside" | "denied" | "no_space" | "unavailable";
