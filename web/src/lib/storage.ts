/**
 * The browser's storages. A browser that blocks cookies refuses them, and a full one refuses what is new: then this
 * document keeps the value for itself, and the page works on.
 */
export type KeyValues = Pick<Storage, "getItem" | "setItem" | "removeItem" | "clear">;

class Surviving implements KeyValues {
  readonly #storage: () => Storage;
  /** What could not be stored. */
  readonly #own = new Map<string, string>();

  constructor(storage: () => Storage) {
    this.#storage = storage;
  }

  getItem(key: string): string | null {
    return this.#own.get(key) ?? this.#try((storage) => storage.getItem(key)) ?? null;
  }

  setItem(key: string, value: string) {
    this.#own.set(key, value);
    this.#try((storage) => {
      storage.setItem(key, value);
      this.#own.delete(key);
    });
  }

  removeItem(key: string) {
    this.#own.delete(key);
    this.#try((storage) => storage.removeItem(key));
  }

  clear() {
    this.#own.clear();
    this.#try((storage) => storage.clear());
  }

  #try<T>(use: (storage: Storage) => T): T | undefined {
    try {
      return use(this.#storage());
    } catch {
      return undefined;
    }
  }
}

/** What this tab keeps until it is closed. */
export const tabStorage: KeyValues = new Surviving(() => sessionStorage);

/** What every tab of this browser keeps. */
export const browserStorage: KeyValues = new Surviving(() => localStorage);
