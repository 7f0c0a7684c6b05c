import { useCallback, useState } from "react";
import type { KeyValues } from "./storage";

/** Reads a JSON value from a browser storage; an unreadable value counts as absent. */
export function readStored(storage: Pick<Storage, "getItem">, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** A yes-or-no choice kept in a browser storage under `key`. */
export function useStoredFlag(storage: KeyValues, key: string): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => readStored(storage, key) === true);
  const change = useCallback(
    (next: boolean) => {
      storage.setItem(key, JSON.stringify(next));
      setOn(next);
    },
    [storage, key],
  );
  return [on, change];
}
