import { useEffect, useState } from "react";
import { dropChecked, keepChecked } from "../api/checked-draft";
import type { Found, Marks } from "../api/drafts";
import { asSent, touches } from "./draft";

interface Looked {
  message: string;
  found: Found[];
}

const takenBack = (found: readonly Found[], { notSecrets }: Marks) =>
  found.filter((one) => notSecrets.some((range) => touches(range, one)));

/** Keeps a draft, and tells which parts of it would be sealed; none until that is known, or if it cannot be known. */
export function useDraft(key: string, text: string, marks: Marks): Looked {
  const [looked, setLooked] = useState<Looked>();
  useEffect(() => {
    if (text === "") {
      dropChecked(key);
      setLooked(undefined);
      return;
    }
    const sent = asSent(text, marks);
    keepChecked(key, { text, marks }, sent, (found) =>
      setLooked((before) => {
        // A find that was taken back stays known: it is shown at once if its author wants it sealed after all.
        const known = before?.message === sent.message ? takenBack(before.found, sent.marks) : [];
        const all = [...found, ...known];
        // A draft without a secret does not change the page. The server checks the sent message again in any case.
        return all.length > 0 ? { message: sent.message, found: all } : undefined;
      }),
    );
  }, [key, text, marks]);
  const { message } = asSent(text, marks);
  return looked?.message === message ? looked : { message, found: [] };
}
