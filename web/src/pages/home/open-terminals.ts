/** The terminals of a project that are open in this browser: their shells outlive its tabs. */
import { useState } from "react";
import { browserStorage } from "../../lib/storage";
import { readStored } from "../../lib/stored";
import { MAIN_TERMINAL } from "../../terminal/messages";

/** How many shells can be open; more would not be useful on a screen. */
export const TERMINALS = [MAIN_TERMINAL, "2", "3", "4"];

export interface Terminals {
  open: string[];
  /** Those that were closed: their shells go on, and are found again under the same name. */
  closed: string[];
}

const known = (names: unknown): string[] =>
  TERMINALS.slice(1).filter((name) => Array.isArray(names) && names.includes(name));

/** The stored terminals; the main one is always open. */
export function asTerminals(stored: unknown): Terminals {
  const { open, closed } = (stored ?? {}) as Partial<Record<keyof Terminals, unknown>>;
  return { open: [MAIN_TERMINAL, ...known(open)], closed: known(closed) };
}

export const withTerminal = ({ open, closed }: Terminals, name: string): Terminals => ({
  open: [...open, name],
  closed: closed.filter((one) => one !== name),
});

export const withoutTerminal = ({ open, closed }: Terminals, name: string): Terminals => ({
  open: open.filter((one) => one !== name),
  closed: [...closed, name],
});

/** The terminal that opens with a new shell; undefined if each has had one. */
export const newTerminal = ({ open, closed }: Terminals): string | undefined =>
  TERMINALS.find((name) => !open.includes(name) && !closed.includes(name));

export function useTerminals(projectId: number): [Terminals, (terminals: Terminals) => void] {
  const key = `groundcrew:terminals:${projectId}`;
  const [terminals, setTerminals] = useState(() => asTerminals(readStored(browserStorage, key)));
  return [
    terminals,
    (next) => {
      browserStorage.setItem(key, JSON.stringify(next));
      setTerminals(next);
    },
  ];
}
