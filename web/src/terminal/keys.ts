/** Keys that the page handles instead of the shell. */
type PageKey = "find" | "leave" | "copy" | "paste";

type Key = Pick<KeyboardEvent, "type" | "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * What a key does in the page, if anything: Ctrl+Shift+F finds, F6 leaves (Tab belongs to the shell), Ctrl+C copies
 * selected text, and Ctrl+V pastes.
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
