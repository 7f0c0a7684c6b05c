import { DropdownMenu } from "radix-ui";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Link } from "react-router";
import type { Pressed } from "./menu-button";

interface MenuProps {
  first: Pressed;
  trigger: RefObject<HTMLButtonElement | null>;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

/** The menu of a `MenuButton`. It is not modal: the page next to it stays usable and readable. */
export function Menu({ first, trigger, children, ...state }: MenuProps) {
  const repeated = useRef(false);
  // Radix tells by the event whether the first item gets the focus. Its listeners are there when this effect runs.
  useEffect(() => {
    if (repeated.current) return;
    repeated.current = true;
    const press =
      first.by === "key"
        ? new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })
        : new PointerEvent("pointerdown", { button: 0, bubbles: true, cancelable: true });
    trigger.current?.dispatchEvent(press);
  }, [first, trigger]);
  return (
    <DropdownMenu.Root modal={false} {...state}>
      <DropdownMenu.Trigger ref={trigger} {...first.button} />
      {children}
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  icon: ReactNode;
  disabled?: boolean;
  /** The menu stays open and shows the progress. */
  stays?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

/** The box of a menu's items. */
export const MENU =
  "z-50 animate-appear rounded-box border border-line-strong bg-raised p-1.5 shadow-xl data-[state=closed]:hidden";

const ITEM =
  "flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 outline-none data-[disabled]:text-ink-3 data-[highlighted]:bg-sunken";

export function MenuItem({ icon, disabled, stays, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      disabled={disabled ?? false}
      onSelect={(event) => {
        if (stays) event.preventDefault();
        onSelect();
      }}
      className={ITEM}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

/** An item that leads to a page. */
export function MenuLink({ icon, to, children }: { icon: ReactNode; to: string; children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild className={`${ITEM} no-underline`}>
      <Link to={to}>
        {icon}
        {children}
      </Link>
    </DropdownMenu.Item>
  );
}
