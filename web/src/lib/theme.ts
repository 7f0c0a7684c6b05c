/** The reader's choice between light and dark; by default the page follows their system. */
import { useSyncExternalStore } from "react";
import { browserStorage } from "./storage";

export const THEMES = { system: "System", light: "Light", dark: "Dark" } as const;
export type Theme = keyof typeof THEMES;

const KEY = "groundcrew:theme";
const listeners = new Set<() => void>();

const asTheme = (kept: string | null): Theme =>
  kept !== null && Object.hasOwn(THEMES, kept) ? (kept as Theme) : "system";

const chosen = (): Theme => asTheme(browserStorage.getItem(KEY));

function apply() {
  const theme = chosen();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Applies the chosen theme, including when another tab changes it. */
export function startTheme() {
  apply();
  window.addEventListener("storage", ({ key }) => key === KEY && apply());
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, chosen);
  const choose = (next: Theme) => {
    if (next === "system") browserStorage.removeItem(KEY);
    else browserStorage.setItem(KEY, next);
    apply();
  };
  return [theme, choose];
}
