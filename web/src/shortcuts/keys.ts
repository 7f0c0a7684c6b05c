/** Maps keys to shortcuts, and leaves keys to the focused element where they belong to it. */

export type Shortcut = "help" | "palette";

export const SHORTCUTS: { keys: string[]; does: string }[] = [
  { keys: ["Ctrl", "K"], does: "Go to a project, a stage or a page, or choose an action" },
  { keys: ["?"], does: "Show this list" },
  { keys: ["/"], does: "Search your projects, in the list of projects" },
  { keys: ["F6"], does: "Enter or leave the terminal" },
  { keys: ["Esc"], does: "Close what is open" },
];

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** `typing` means that a text input has the focus, `elsewhere` that a dialog or the terminal has it. */
export function shortcutOf(press: Press, typing: boolean, elsewhere: boolean): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  if (elsewhere || altKey) return undefined;
  if ((ctrlKey || metaKey) && key.toLowerCase() === "k") return "palette";
  if (key === "?" && !ctrlKey && !metaKey && !typing) return "help";
  return undefined;
}
