import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { BEGIN } from "../../lib/paths";

/** Opens the dialog that the address asks for, once: a reload or a return does not open it again. */
export function useDialogOfAddress(open: Record<string, () => void>) {
  const [asked, setAsked] = useSearchParams();
  const what = asked.get(BEGIN);
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    if (what === null) return;
    latest.current[what]?.();
    setAsked(
      (now) => {
        now.delete(BEGIN);
        return now;
      },
      { replace: true },
    );
  }, [what, setAsked]);
}
