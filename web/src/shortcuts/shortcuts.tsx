import { lazy, Suspense, useLayoutEffect, useState } from "react";
import { lazyPart } from "../lib/lazy-part";
import { type Shortcut, shortcutOf } from "./keys";

const Help = lazy(lazyPart(() => import("./help")));
const Palette = lazy(lazyPart(() => import("./palette")));

const TYPING = "input, textarea, select, [contenteditable=true]";
const ELSEWHERE = "[role=dialog], [role=alertdialog], [role=menu], .xterm";

/** Listens for the application's shortcuts on every page. */
export function Shortcuts() {
  const [shown, setShown] = useState<Shortcut>();
  // An ordinary effect runs after the page is drawn, and would miss a key that is pressed in between.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const focus = document.activeElement;
      const shortcut = shortcutOf(event, !!focus?.closest(TYPING), !!focus?.closest(ELSEWHERE));
      if (!shortcut || event.defaultPrevented) return;
      event.preventDefault();
      setShown(shortcut);
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
  const close = () => setShown(undefined);
  return (
    <Suspense fallback={null}>
      {shown === "help" && <Help onClose={close} />}
      {shown === "palette" && <Palette onClose={close} onHelp={() => setShown("help")} />}
    </Suspense>
  );
}
