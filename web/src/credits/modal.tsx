import { lazy, Suspense, useSyncExternalStore } from "react";
import { creditsModal } from "../lib/credits-modal";
import { lazyPart } from "../lib/lazy-part";

const Credits = lazy(lazyPart(() => import("./credits")));

/** The credits modal; renders nothing while closed. */
export function CreditsModal() {
  const { open } = useSyncExternalStore(creditsModal.subscribe, creditsModal.now);
  return <Suspense fallback={null}>{open && <Credits />}</Suspense>;
}
