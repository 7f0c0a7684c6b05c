/**
 * Which presses start an action.
 *
 * A button that is disabled while its call is under way is drawn disabled only after the next event: a second click or
 * Enter comes first, and a fast server may even have answered by the second click of a double click. Both would create
 * a second project. Here a press counts before anything is drawn: the same action does not begin again while it is
 * under way, nor within the time of a double click after it began.
 */

/** How long a repeated press counts as the same one, in milliseconds; systems take this for a double click. */
export const SAME_PRESS_MS = 500;

/** The actions that one control has begun, by their content. */
export class Presses {
  readonly #underWay = new Set<string>();
  #last: { action: string; at: number } | undefined;

  /** Whether this press begins the action at this time, in milliseconds, instead of repeating it. */
  begins(action: string, now: number): boolean {
    const again = this.#last?.action === action && now - this.#last.at < SAME_PRESS_MS;
    if (again || this.#underWay.has(action)) return false;
    this.#underWay.add(action);
    this.#last = { action, at: now };
    return true;
  }

  /** The action has ended; one that failed may be repeated at once. */
  ended(action: string, succeeded: boolean) {
    this.#underWay.delete(action);
    if (!succeeded && this.#last?.action === action) this.#last = undefined;
  }
}
