/**
 * Changes that the gateway announces over a connection that the page has open anyway.
 *
 * While a connection announces, what it announces is polled less often. It is still polled, because an announcement may
 * be lost, and an approval in another browser is not announced.
 */
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** The interval of polls while a connection announces, in milliseconds. */
const ANNOUNCED_POLL_MS = 30_000;

/** The open connections that announce changes. */
const announcing = new Set<object>();

/** The interval of a poll that takes this long without announcements, in milliseconds. */
export const unlessAnnounced = (milliseconds: number) => () =>
  announcing.size > 0 ? Math.max(milliseconds, ANNOUNCED_POLL_MS) : milliseconds;

/** Reads queries again when a connection announces a change. */
export class Announcer {
  readonly #queries: QueryClient;
  readonly #keys: QueryKey[];

  /** @param keys the queries whose changes the connection announces */
  constructor(queries: QueryClient, keys: QueryKey[]) {
    this.#queries = queries;
    this.#keys = keys;
  }

  /** The connection begins to announce: changes from before it opened are read once. */
  begins() {
    if (announcing.has(this)) return;
    announcing.add(this);
    this.changed();
  }

  /** The connection has broken or closed. Reading again returns the polls to their usual interval. */
  ends() {
    if (announcing.delete(this)) this.changed();
  }

  /** Reads again the queries that the page shows. */
  changed() {
    for (const queryKey of this.#keys) void this.#queries.invalidateQueries({ queryKey });
  }
}
