import createClient, { type Middleware } from "openapi-fetch";
import { sessionEnded } from "../lib/session";
import { ApiError, codeOf } from "./errors";
import { callHeaders } from "./headers";
import type { components, paths } from "./schema";
import { shortage } from "./shortage";

export const API_BASE = "/api";

export type Schemas = components["schemas"];

const conventions: Middleware = {
  onRequest({ request, schemaPath }) {
    for (const [name, value] of Object.entries(callHeaders(schemaPath))) request.headers.set(name, value);
    return request;
  },
  async onResponse({ response }) {
    if (response.status === 401) sessionEnded();
    if (response.status === 402) shortage.report(codeOf(await readBody(response.clone())));
  },
};

export const api = createClient<paths>({ baseUrl: API_BASE });
api.use(conventions);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a successful answer; anything else is thrown as an {@link ApiError}. */
export const body = async <T>(call: Promise<Answer<T>>): Promise<T> => (await answer(call)).data;

/** The same together with the answer's headers. */
export async function answer<T>(call: Promise<Answer<T>>): Promise<{ data: T; headers: Headers }> {
  const { data, error, response } = await call;
  if (!response.ok || data === undefined) throw new ApiError(response, error);
  return { data, headers: response.headers };
}

/** A successful plain-text answer together with its headers; an empty answer is an empty text. */
export async function text(call: Promise<Answer<string>>): Promise<{ text: string; headers: Headers }> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response, error);
  return { text: data ?? "", headers: response.headers };
}

/** For calls that answer without a body. */
export async function done(call: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await call;
  if (!response.ok) throw new ApiError(response, error);
}

/** The content of an answer: nothing for a 204, otherwise JSON, or text if it is not JSON. */
export async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
