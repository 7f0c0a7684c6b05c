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

/** What would be sealed of a draft; empty until that is known, and where it cannot be known. */
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
        // A draft without a secret leaves the page as it is.
        (found) => setLooked(found.length > 0 ? { ...sent, found } : undefined),
        // What is sent is looked at again by the server, whether or not this could be shown before.
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
