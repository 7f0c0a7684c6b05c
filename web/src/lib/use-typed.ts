import { useState } from "react";
import { typed } from "./typed";

/** What is typed under a name, kept in this tab; undefined for nothing. */
export function useTyped<T>(
  name: string,
  read: (value: unknown) => T | undefined,
): [value: T | undefined, put: (value: T | undefined) => void] {
  const kept = () => ({ name, value: read(typed.get(name)) });
  const [now, setNow] = useState(kept);
  // Under another name there may be another text.
  const current = now.name === name ? now : kept();
  const put = (value: T | undefined) => {
    typed.put(name, value);
    setNow({ name, value });
  };
  return [current.value, put];
}
