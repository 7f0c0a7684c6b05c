/** Parts of the application whose code is loaded when they are first shown. */

/** How long to wait before each further attempt, in milliseconds. */
const PAUSES_MS = [300, 1_000];

/** Whether code failed to load: each browser has a different message for that. */
export const isMissingPart = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|preload CSS/i.test(error.message);

/**
 * Returns a loader that tries again when the connection fails. A browser ends all requests when the network changes, for
 * example from one Wi-Fi to another, and the page should survive that.
 * @param load imports the part
 */
export function part<T>(load: () => Promise<T>): () => Promise<T> {
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
