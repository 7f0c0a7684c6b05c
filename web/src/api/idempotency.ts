import { isTransient } from "./errors";

/**
 * Idempotency keys for calls that create something. If an answer is lost, the server may have done its work: the same
 * request then has the same key again, by which the server recognizes it. After a real answer, whatever it says, the
 * same request begins anew.
 */
export class IdempotencyKeys {
  /** The keys of the requests that the server has not answered, by their content. */
  readonly #unanswered = new Map<string, string>();

  /** Makes the call for this request, with the request's key. */
  async send<T>(request: unknown, call: (key: string) => Promise<T>): Promise<T> {
    const content = JSON.stringify(request);
    const key = this.#unanswered.get(content) ?? crypto.randomUUID();
    this.#unanswered.set(content, key);
    try {
      const answer = await call(key);
      this.#unanswered.delete(content);
      return answer;
    } catch (error) {
      if (!isTransient(error)) this.#unanswered.delete(content);
      throw error;
    }
  }
}
