import type { components } from "./schema";

/** A stable code of the contract. A newer server may send others, which equal none of these. */
export type ErrorCode = components["schemas"]["ErrorCode"];

/** An error answer of the server. */
export class ApiError extends Error {
  readonly status: number;
  readonly statusText: string;
  readonly code: ErrorCode | undefined;
  readonly requestId: string | undefined;

  constructor(response: Response, body: unknown) {
    super(messageOf(response, body));
    this.name = "ApiError";
    this.status = response.status;
    this.statusText = response.statusText;
    this.code = codeOf(body);
    this.requestId = field(body, "request_id");
  }
}

/** The stable code of an error body. */
export const codeOf = (body: unknown): ErrorCode | undefined => field(body, "code") as ErrorCode | undefined;

/** Whether the server refused a call with this code. */
export const isRefusal = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ApiError && error.code === code;

function field(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null || !(name in body)) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function messageOf(response: Response, body: unknown): string {
  const text = typeof body === "string" ? body.trim() : undefined;
  const status = `HTTP ${response.status}`;
  // HTTP/2 has no status text.
  const reason = text || response.statusText;
  return field(body, "detail") ?? field(body, "message") ?? (reason ? `${status}: ${reason}` : status);
}

/** The error text for people, whatever was thrown. */
export function problemText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return "The server cannot be reached. Check your connection.";
  return error instanceof Error && error.message ? error.message : "Something went wrong.";
}

/** Whether a retry can help: the network or the server failed, and the request was valid. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}
