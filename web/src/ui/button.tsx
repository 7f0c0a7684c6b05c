import type { ComponentProps } from "react";
import { cx } from "./class";

/** `signal` is the one amber button: the user's next action. */
export type ButtonKind = "signal" | "plain" | "quiet" | "danger";

const KINDS: Record<ButtonKind, string> = {
  signal: "bg-signal text-on-signal enabled:not-aria-disabled:hover:bg-signal-hover",
  plain: "border border-line-strong bg-raised text-ink enabled:not-aria-disabled:hover:border-ink-3",
  quiet: "text-ink-2 enabled:not-aria-disabled:hover:bg-sunken enabled:not-aria-disabled:hover:text-ink",
  danger: "border border-line-strong bg-raised text-bad enabled:not-aria-disabled:hover:border-bad",
};

const SIZES = {
  small: "min-h-8 px-3 text-note",
  normal: "min-h-9 px-3.5 text-base",
  large: "min-h-11.5 px-5 text-[15px]",
};

/** The button that completes a stage: amber until the stage is completed. */
export const completing = (completed: boolean): ButtonKind => (completed ? "plain" : "signal");

/** The look of a button, for links that act as one. */
export function buttonClass(kind: ButtonKind = "plain", size: keyof typeof SIZES = "normal"): string {
  return cx(
    "inline-flex shrink-0 items-center justify-center gap-2 rounded-control text-center font-[560] no-underline",
    "transition-colors duration-150 ease-out",
    "disabled:border disabled:border-line disabled:bg-sunken disabled:text-ink-3",
    // A pending button keeps the focus and looks disabled, too.
    "aria-disabled:border aria-disabled:border-line aria-disabled:bg-sunken aria-disabled:text-ink-3",
    SIZES[size],
    KINDS[kind],
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  kind?: ButtonKind;
  size?: keyof typeof SIZES;
  /**
   * Its call is under way. The button does nothing until it ends, but keeps the focus: browsers take the focus from
   * a `disabled` element, and a person with a keyboard would start from the top of the page.
   */
  pending?: boolean;
}

export function Button({
  kind,
  size,
  className,
  type = "button",
  pending = false,
  disabled,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={cx(buttonClass(kind, size), className)}
      {...rest}
      disabled={disabled && !pending}
      aria-disabled={pending || rest["aria-disabled"]}
      onClick={pending ? ignore : onClick}
    />
  );
}

/** The press neither acts nor submits the button's form, as with Enter in one of its fields. */
const ignore = (event: { preventDefault(): void }) => event.preventDefault();
