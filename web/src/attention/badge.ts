import { useEffect } from "react";
import type { Notice } from "./notice";

const ICON = "/mark.svg";
const BADGED: Record<Notice["is"], string> = {
  waiting: "/mark-waiting.svg",
  failed: "/mark-failed.svg",
  done: "/mark-done.svg",
};

/** Sets the tab's icon: with a badge while there is a notice. */
function showBadge(notice: Notice["is"] | undefined) {
  document.querySelector("link[rel=icon]")?.setAttribute("href", notice ? BADGED[notice] : ICON);
}

/** Shows the badge as long as the page that asked for it is open. */
export function useBadge(is: Notice["is"] | undefined) {
  useEffect(() => {
    showBadge(is);
    return () => showBadge(undefined);
  }, [is]);
}
