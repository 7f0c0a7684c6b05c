import { useEffect } from "react";
import type { Turn } from "./turn";

const ICON = "/mark.svg";
const BADGED: Record<Turn["is"], string> = {
  waiting: "/mark-waiting.svg",
  failed: "/mark-failed.svg",
  done: "/mark-done.svg",
};

/** Sets the tab's icon: with a badge when it is the user's turn. */
function showBadge(turn: Turn["is"] | undefined) {
  document.querySelector("link[rel=icon]")?.setAttribute("href", turn ? BADGED[turn] : ICON);
}

/** Shows the badge as long as the page that asked for it is open. */
export function useBadge(is: Turn["is"] | undefined) {
  useEffect(() => {
    showBadge(is);
    return () => showBadge(undefined);
  }, [is]);
}
