import { useEffect, useState } from "react";

/** How long a copy is confirmed, in milliseconds. */
const SHOWN_MS = 1_500;

/** Copies a text, and says for a moment whether it worked; another copy begins the moment anew. */
export function useCopy(text: string): [outcome: "copied" | "refused" | undefined, copy: () => void] {
  const [last, setLast] = useState<{ outcome: "copied" | "refused" }>();
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setLast(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [last]);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setLast({ outcome: "copied" }),
      (error: unknown) => {
        console.error("Copying is not allowed here", error);
        setLast({ outcome: "refused" });
      },
    );
  return [last?.outcome, copy];
}
