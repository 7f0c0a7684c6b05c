/** Parts of the application whose code is loaded when they are first shown. */

/** How long to wait before each further attempt, in milliseconds. */
const PAUSES_MS = [300, 1_000];

/** Whether code failed to load: each browser has a different message for that. */
export const isMissingPart = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|preload CSS/i.test(error.message);

/**
 * Returns a loader that tries again when the connection fails. A browser ends all requests when the network changes,
 * for example from one Wi-Fi to another, and the page should survive that.
 * @param load imports the part
 */
export function lazyPart<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    for (const pause of PAUSES_MS) {
      try {
        return await load();
      } catch (error) {
        if (!isMissingPart(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    return load();
  };
}

/** A part whose code stays at hand once it has arrived, so that a press shows it at once. */
export interface KeptPart<T> {
  /** The code, if it has arrived. */
  now: () => T | undefined;
  load: () => Promise<T>;
}

/** @param load imports the part; called again only after it failed */
export function keptPart<T>(load: () => Promise<T>): KeptPart<T> {
  let code: T | undefined;
  let loading: Promise<T> | undefined;
  const loadOnce = async () => {
    try {
      code = await load();
      return code;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return {
    now: () => code,
    load: () => {
      loading ??= loadOnce();
      return loading;
    },
  };
}

/** Loads a part that the user may want next. A failure matters only once they want it, and then it is loaded again. */
export const loadAhead = (part: KeptPart<unknown>) => void part.load().catch(() => undefined);
