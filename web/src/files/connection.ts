/**
 * The sandbox's files, as calls with answers.
 *
 * They use a separate connection, so that a listing never waits behind a flood of terminal output. Requests in progress
 * when the connection drops are repeated: reading twice does no harm, and a write that had succeeded finds its own
 * text, which the save recognizes.
 */
import { FILE_BYTES } from "../api/limits";
import type { FileEntry, FileFailure, FilesRequest } from "../socket/protocol";
import { ReconnectingSocket, type Socket } from "../socket/reconnecting-socket";
import { type Answer, byteLength, filesAnswer, pieces } from "./messages";

/** How long the sandbox may take to answer, in milliseconds. */
const ANSWER_MS = 15_000;

/** Why a request about a file failed; `code` is the contract's, `message` is for the user. */
export class FileProblem extends Error {
  readonly code: FileFailure;
  constructor(code: FileFailure, message: string) {
    super(message);
    this.name = "FileProblem";
    this.code = code;
  }
}

export const isProblem = (error: unknown, code: FileFailure): boolean =>
  error instanceof FileProblem && error.code === code;

export interface Listing {
  entries: FileEntry[];
  /** Whether the folder has more entries than the sandbox lists. */
  truncated: boolean;
}

export interface FileText {
  content: string;
  sha256: string;
  /** The size of the whole file. */
  bytes: number;
}

interface FilesConnectionParts {
  ticket: () => Promise<{ ticket: string; url: string }>;
  connect: (url: string) => Socket;
}

interface Pending {
  frames: FilesRequest[];
  parts: Map<number, Answer>;
  timer: ReturnType<typeof setTimeout>;
  resolve: (answers: Answer[]) => void;
  reject: (problem: FileProblem) => void;
}

type Question =
  | { type: "files.list"; path: string }
  | { type: "files.read"; path: string; offset: number; end: boolean }
  | { type: "files.write"; path: string; base_sha256: string | null; content: string };

export class FilesConnection {
  readonly #socket: ReconnectingSocket;
  readonly #pending = new Map<string, Pending>();
  #requests = 0;

  constructor(parts: FilesConnectionParts) {
    this.#socket = new ReconnectingSocket({
      ...parts,
      onOpen: () => {
        for (const { frames } of this.#pending.values()) this.#send(frames);
      },
      onMessage: (data) => this.#received(filesAnswer(data)),
      onDown: () => {
        // An incomplete request is sent again, in new parts.
        for (const { parts } of this.#pending.values()) parts.clear();
      },
      onTrouble: () => undefined,
    });
  }

  start() {
    this.#socket.start();
  }

  hurry() {
    this.#socket.hurry();
  }

  close() {
    this.#socket.close();
    for (const request of [...this.#pending.keys()]) this.#fail(request, unavailable());
  }

  async list(path: string): Promise<Listing> {
    const answers = await this.#ask({ type: "files.list", path });
    const listed = answers.filter((answer) => answer.type === "files.listed");
    return {
      entries: listed.flatMap((answer) => answer.entries),
      truncated: listed.some((answer) => answer.truncated),
    };
  }

  /** The whole text of a file, up to 64 KiB, or the last lines of one of any size. */
  async read(path: string, part: "whole" | "end" = "whole"): Promise<FileText> {
    const answers = await this.#ask({ type: "files.read", path, offset: 0, end: part === "end" });
    const contents = answers.filter((answer) => answer.type === "files.content");
    return {
      content: contents.map((answer) => answer.content).join(""),
      sha256: contents[0]?.sha256 ?? "",
      bytes: contents[0]?.bytes ?? 0,
    };
  }

  /** Replaces the content with this digest, or creates the file; returns the digest of the new content. */
  async write(path: string, base: string | null, content: string): Promise<string> {
    if (byteLength(content) > FILE_BYTES) {
      throw new FileProblem("too_large", "This is more than the 64 KiB that can be saved here.");
    }
    const [answer] = await this.#ask({ type: "files.write", path, base_sha256: base, content });
    return answer?.type === "files.written" ? answer.sha256 : "";
  }

  #ask(question: Question): Promise<Answer[]> {
    this.#requests += 1;
    const request = String(this.#requests);
    const frames = framesOf(question, request);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(request, unavailable()), ANSWER_MS);
      this.#pending.set(request, { frames, parts: new Map(), timer, resolve, reject });
      this.#send(frames);
    });
  }

  #send(frames: FilesRequest[]) {
    for (const frame of frames) this.#socket.send(frame);
  }

  #received(answer: Answer | undefined) {
    if (!answer) return;
    this.#socket.settled();
    const pending = this.#pending.get(answer.request);
    if (!pending) return;
    if (answer.type === "files.failed") {
      return this.#fail(answer.request, new FileProblem(answer.code, answer.detail));
    }
    const { part, parts } = placeOf(answer);
    pending.parts.set(part, answer);
    if (pending.parts.size < parts) return;
    this.#forget(answer.request, pending);
    pending.resolve([...pending.parts].sort(([a], [b]) => a - b).map(([, answer]) => answer));
  }

  #fail(request: string, problem: FileProblem) {
    const pending = this.#pending.get(request);
    if (!pending) return;
    this.#forget(request, pending);
    pending.reject(problem);
  }

  #forget(request: string, pending: Pending) {
    clearTimeout(pending.timer);
    this.#pending.delete(request);
  }
}

const unavailable = () => new FileProblem("unavailable", "The sandbox does not answer. Try again.");

const placeOf = (answer: Answer): { part: number; parts: number } =>
  "part" in answer ? answer : { part: 1, parts: 1 };

function framesOf(question: Question, request: string): FilesRequest[] {
  if (question.type !== "files.write") return [{ ...question, request }];
  const cut = pieces(question.content);
  return cut.map((content, index) => ({
    ...question,
    request,
    content,
    part: index + 1,
    parts: cut.length,
  }));
}
