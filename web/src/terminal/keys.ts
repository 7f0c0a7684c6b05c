/** Keys that mean something to the page rather than to the shell. */
export type PageKey = "find" | "leave" | "copy" | "paste";

type Key = Pick<KeyboardEvent, "type" | "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * Tells what a key means to the page, if anything: Ctrl+Shift+F finds, F6 leaves (Tab belongs to the shell), Ctrl+C
 * copies as long as something is selected, and Ctrl+V pastes.
 */
export function pageKey(event: Key, hasSelection: boolean): PageKey | undefined {
  if (event.type !== "keydown" || event.altKey) return undefined;
  if (event.key === "F6") return "leave";
  if (!event.ctrlKey && !event.metaKey) return undefined;
  if (event.code === "KeyF" && event.shiftKey) return "find";
  if (event.code === "KeyC" && (event.shiftKey || hasSelection)) return "copy";
  if (event.code === "KeyV") return "paste";
  return undefined;
}
