import { useEffect, useState } from "react";
import { draftSecrets, type Found, type Marks } from "../api/drafts";
import { asSent } from "./draft";

/** How long the user has to pause before the draft is checked, in milliseconds. */
const PAUSE_MS = 300;

interface Looked {
  message: string;
  marks: Marks;
  found: Found[];
}

/** The parts of a draft that would be sealed; empty until that is known, and if it cannot be known. */
export function useDraft(text: string, marks: Marks): { message: string; found: Found[] } {
  const [looked, setLooked] = useState<Looked>();
  useEffect(() => {
    const sent = asSent(text, marks);
    if (sent.message === "") {
      setLooked(undefined);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      draftSecrets(sent.message, sent.marks, leaving.signal).then(
        // A draft without a secret does not change the page.
        (found) => setLooked(found.length > 0 ? { ...sent, found } : undefined),
        // The server checks the sent message again, whether or not this could be shown before.
        (error: unknown) => leaving.signal.aborted || console.error("The draft could not be checked", error),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text, marks]);
  const { message } = asSent(text, marks);
  return looked?.message === message ? looked : { message, found: [] };
}
