import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router";
import { SHORTAGE_TEXTS, type Shortage, shortage } from "../api/shortage";
import { creditsModal } from "../lib/credits-modal";
import { lastSegment, paths, projectIdOf } from "../lib/paths";
import { Button, buttonClass } from "../ui/button";
import { Tool } from "../ui/tool";

/** Reports missing money, whichever call failed because of it, and links to the remedy. */
export function ShortageNotice() {
  const missing = useSyncExternalStore(shortage.subscribe, shortage.now);
  if (!missing) return null;
  return (
    <div className="fixed inset-x-4 bottom-4 z-30 mx-auto flex max-w-xl animate-appear flex-wrap items-center gap-x-4 gap-y-2 rounded-box border border-line-strong bg-raised px-4 py-3 shadow-lg">
      <p role="alert" className="min-w-0 flex-1 basis-60">
        {SHORTAGE_TEXTS[missing]}
      </p>
      <ShortageAction missing={missing} onGo={shortage.dismiss} />
      <Tool label="Close notice" onClick={shortage.dismiss} className="-mr-1.5 ml-auto">
        <X size={16} aria-hidden />
      </Tool>
    </div>
  );
}

/** The button with the remedy: the credits modal, or the costs page with the budget. */
export function ShortageAction({ missing, onGo }: { missing: Shortage; onGo?: () => void }) {
  const { pathname } = useLocation();
  const projectId = projectIdOf(pathname);
  if (missing === "insufficient_credits" || projectId === undefined) {
    const add = () => {
      onGo?.();
      creditsModal.open();
    };
    return (
      <Button kind="signal" size="small" onClick={add}>
        Add Credits
      </Button>
    );
  }
  return (
    <Link
      to={paths.costs(projectId, lastSegment(pathname))}
      onClick={onGo}
      className={buttonClass("signal", "small")}
    >
      Open Costs
    </Link>
  );
}
