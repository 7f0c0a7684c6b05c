import { useEffect, useRef } from "react";

/** Returns the signal that ends when the page leaves the component. */
export function useLeaving(): () => AbortSignal {
  const leaving = useRef(new AbortController());
  useEffect(() => {
    // An effect that runs again begins with a signal that has not ended.
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort(new Error("The page was left"));
  }, []);
  return () => leaving.current.signal;
}
