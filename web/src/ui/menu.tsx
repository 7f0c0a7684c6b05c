import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Link } from "react-router";

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
