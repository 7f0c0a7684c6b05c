import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import { type KeptPart, loadAhead } from "../lib/lazy-part";
import { useKeptPart } from "../lib/use-kept-part";

interface ButtonOfMenu {
  "aria-label": string;
  className: string;
  children: ReactNode;
}

/** The first press of a menu's button. */
export interface Pressed {
  button: ButtonOfMenu;
  by: "pointer" | "key";
}

interface MenuButtonProps<T> {
  /** The code of the menu. */
  part: KeptPart<T>;
  button: ButtonOfMenu;
  /** The menu, which replaces this button and repeats its first press. */
  children: (code: T, first: Pressed) => ReactNode;
}

const OPENING_KEYS = ["Enter", " ", "ArrowDown"];

/**
 * The button of a menu whose code is loaded when the user reaches for it. A press that comes before the code waits for
 * it, unless the user presses Escape or goes elsewhere meanwhile.
 */
export function MenuButton<T>({ part, button, children }: MenuButtonProps<T>) {
  const [by, setBy] = useState<Pressed["by"]>();
  const code = useKeptPart(part, by !== undefined);
  if (by && code) return children(code, { button, by });
  const ahead = () => loadAhead(part);
  const forget = () => setBy(undefined);
  const pointed = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || event.ctrlKey) return;
    // The browser would focus the button after the menu has taken the focus.
    event.preventDefault();
    event.currentTarget.focus();
    setBy("pointer");
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key === "Escape") forget();
    if (!OPENING_KEYS.includes(event.key)) return;
    event.preventDefault();
    setBy("key");
  };
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={by !== undefined}
      data-state={by ? "open" : "closed"}
      {...button}
      onPointerEnter={ahead}
      onFocus={ahead}
      onPointerDown={pointed}
      onKeyDown={keyed}
      onBlur={forget}
    />
  );
}
