/** Calls whose answer is more than its JSON: a header that counts, or a file. */
import { shortage } from "../credits/shortage";
import { endSession } from "../session";
import { API_BASE, readBody } from "./client";
import { ApiError, codeOf } from "./errors";
import { callHeaders } from "./headers";

interface PlainCall {
  method?: "GET" | "POST" | "PUT";
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls the API under the conventions of all its calls; anything but a success is thrown as an {@link ApiError}. */
export async function plain(path: string, call: PlainCall = {}): Promise<Response> {
  const { method = "GET", body, headers = {} } = call;
  const response = await fetch(`${API_BASE}${path}`, {
    method,
    headers: {
      ...callHeaders(path),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status === 401) endSession();
  if (response.ok) return response;
  const answer = await readBody(response);
  if (response.status === 402) shortage.report(codeOf(answer));
  throw new ApiError(response, answer);
}

/** The JSON of a successful answer, in the shape that the contract gives it. */
export async function json<T>(path: string, call?: PlainCall): Promise<T> {
  return (await readBody(await plain(path, call))) as T;
}
