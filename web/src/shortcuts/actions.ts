import { creditsModal } from "../lib/credits-modal";
import { THEMES, type Theme, useTheme } from "../lib/theme";
import { signOut } from "../shell/sign-out";
import type { Action } from "./places";

const ACTION = "Action";

/** What the palette does on any page. */
export function useActions(onHelp: () => void): Action[] {
  const [chosen, choose] = useTheme();
  const themes = Object.entries(THEMES).filter(([theme]) => theme !== chosen);
  return [
    { label: "View & Add Credits", hint: ACTION, run: creditsModal.open },
    ...themes.map(([theme, label]) => ({
      label: `Theme: ${label}`,
      hint: ACTION,
      run: () => choose(theme as Theme),
    })),
    { label: "Keyboard shortcuts", hint: ACTION, run: onHelp },
    { label: "Sign Out", hint: ACTION, run: () => void signOut() },
  ];
}
