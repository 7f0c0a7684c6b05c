import { useState } from "react";
import { drafts } from "./drafts";

/** A text, if the draft is one. */
export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** What is typed under a key; undefined for nothing. */
export function useKept<T>(
  key: string,
  read: (value: unknown) => T | undefined,
): [value: T | undefined, put: (value: T | undefined) => void] {
  const kept = () => ({ key, value: read(drafts.get(key)) });
  const [now, setNow] = useState(kept);
  // Under another key there may be another text.
  const current = now.key === key ? now : kept();
  const put = (value: T | undefined) => {
    drafts.put(key, value);
    setNow({ key, value });
  };
  return [current.value, put];
}
