import { useEffect, useReducer, useState } from "react";
import type { KeptPart } from "./lazy-part";

/**
 * The code of a part while it is wanted, once it is there. Code that is at hand is there at once; with `lazy`, React
 * may first show the fallback for a few hundred milliseconds. A part that cannot be loaded fails like one of `lazy`.
 */
export function useKeptPart<T>(part: KeptPart<T>, isWanted: boolean): T | undefined {
  const [, arrived] = useReducer((times: number) => times + 1, 0);
  const [failure, setFailure] = useState<{ error: unknown }>();
  useEffect(() => {
    if (!isWanted || part.now()) return;
    let isLate = false;
    part.load().then(
      () => isLate || arrived(),
      (error: unknown) => isLate || setFailure({ error }),
    );
    return () => {
      isLate = true;
    };
  }, [part, isWanted]);
  if (failure) throw failure.error;
  return isWanted ? part.now() : undefined;
}
