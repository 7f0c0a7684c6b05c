import { useEffect, useState } from "react";
import { dropChecked, keepChecked } from "../api/checked-draft";
import type { Found, Marks } from "../api/drafts";
import { asSent } from "./draft";

interface Looked {
  message: string;
  found: Found[];
}

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
      // A draft without a secret does not change the page. The server checks the sent message again in any case.
      setLooked(found.length > 0 ? { message: sent.message, found } : undefined),
    );
  }, [key, text, marks]);
  const { message } = asSent(text, marks);
  return looked?.message === message ? looked : { message, found: [] };
}
