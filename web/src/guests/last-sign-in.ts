import type { Guest } from "../api/guests";

/** When a guest last tried to sign in, and whether they entered. */
export function lastSignIn({
  signed_in_at: entered,
  refused_at: refused,
}: Pick<Guest, "signed_in_at" | "refused_at">): { entered: boolean; at: string } | undefined {
  if (entered && (!refused || Date.parse(entered) > Date.parse(refused)))
    return { entered: true, at: entered };
  return refused ? { entered: false, at: refused } : undefined;
}
