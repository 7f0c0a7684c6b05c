import type { Autonomy } from "../api/execution";

const LEVELS: [Autonomy, string][] = [
  ["ask_for_everything", "everything"],
  ["ask_for_changes", "what changes something"],
  ["run_all", "nothing, run all"],
];

/** The effect of a level, if it needs explaining. */
const MEANING: Partial<Record<Autonomy, string>> = {
  ask_for_changes:
    "Commands that only read run without asking you, confined and without your credentials. Everything else waits.",
  run_all: "run without asking you, in order, until this is off.",
};

interface AskAboutProps {
  level: Autonomy;
  onChange: (level: Autonomy) => void;
}

/** How far steps run without their owner, in three levels; the last one equals the switch next to it. */
export function AskAbout({ level, onChange }: AskAboutProps) {
  return (
    <label className="inline-flex items-center gap-2 text-ink-2 text-note">
      Ask me about
      <select
        value={level}
        onChange={(event) => {
          const chosen = LEVELS.find(([value]) => value === event.target.value);
          if (chosen) onChange(chosen[0]);
        }}
        className="min-h-7 rounded-control border border-line-strong bg-raised px-1.5 text-ink text-note"
      >
        {LEVELS.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A sentence about the level; `what` is what runs: "Commands" or "Checks". */
export function meaningOf(level: Autonomy, what: string): string | undefined {
  const meaning = MEANING[level];
  return level === "run_all" ? `${what} ${meaning}` : meaning;
}
