import { useId } from "react";
import { countWords, lengthOf, overWords } from "../lib/limit";
import { cx } from "./class";

/**
 * The limit of a text field. `maxLength` would cut a pasted text without notice; with this, the field keeps all of it
 * and shows the limit, and its form cannot be sent until the text is short enough.
 */
export function useLimit(text: string, most: number) {
  const id = useId();
  const now = lengthOf(text, most);
  return {
    isOver: now.isOver,
    /** Attributes of the field. */
    field: now.isNear ? { "aria-describedby": id, "aria-invalid": now.isOver } : {},
    /** Goes below the field. */
    note: now.isNear && (
      <span id={id} className={cx("block text-small", now.isOver ? "text-bad" : "text-ink-2")}>
        {now.isOver && <span role="alert">{overWords(now)} </span>}
        {countWords(now)}
      </span>
    ),
  };
}
