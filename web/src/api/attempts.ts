import { isTransient } from "./errors";

/**
 * Keys for calls that create something. If an answer is lost, the server may have done its work: the same wish then has
 * the same key again, by which the server recognizes it. A real answer ends the attempt, whatever it says.
 */
export class Attempts {
  readonly #keys = new Map<string, string>();

  async make<T>(wish: unknown, call: (key: string) => Promise<T>): Promise<T> {
    const name = JSON.stringify(wish);
    const key = this.#keys.get(name) ?? crypto.randomUUID();
    this.#keys.set(name, key);
    try {
      const made = await call(key);
      this.#keys.delete(name);
      return made;
    } catch (error) {
      if (!isTransient(error)) this.#keys.delete(name);
      throw error;
    }
  }
}
