import type { Change } from "../api/changes";
import type { Tone } from "../ui/pill";

export const changeTitle = (change: Pick<Change, "number" | "wish">): string =>
  change.number === 1 ? "Change 1 · First build" : `Change ${change.number} · ${change.wish}`;

const TONES: Record<Change["status"], Tone> = {
  in_progress: "run",
  completed: "ok",
  abandoned: "idle",
  unfinished: "idle",
  rolled_back: "idle",
};
const WORDS: Record<Change["status"], string> = {
  in_progress: "in progress",
  completed: "completed",
  abandoned: "abandoned",
  unfinished: "not completed",
  rolled_back: "rolled back",
};

export const changeTone = (status: Change["status"]): Tone => TONES[status];
export const changeWord = (status: Change["status"]): string => WORDS[status];
