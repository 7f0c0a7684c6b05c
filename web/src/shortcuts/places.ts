/** The places that the palette leads to, and which of them match the typed text. */
import type { ListedProject } from "../api/projects";
import { paths } from "../lib/paths";

export interface Place {
  label: string;
  /** The kind of place, or what it belongs to. */
  hint: string;
  to: string;
}

const STAGES = [
  ["requirements", "Requirements"],
  ["architecture", "Cloud architecture"],
  ["implementation", "Implementation"],
  ["execution", "Execution"],
  ["validation", "Validation"],
] as const;

/** All places, those of the open project first. */
export function places(projects: readonly ListedProject[], open: number | undefined): Place[] {
  const here = projects.find(({ id }) => id === open);
  const inside: Place[] = here
    ? [
        ...STAGES.map(([stage, label]) => ({ label, hint: here.name, to: paths.project(here.id, stage) })),
        { label: "Project home", hint: here.name, to: paths.home(here.id) },
        { label: "What was built", hint: here.name, to: paths.home(here.id, "result") },
        { label: "Terminal", hint: here.name, to: paths.home(here.id, "terminal") },
        { label: "Files", hint: here.name, to: paths.home(here.id, "files") },
        { label: "Backups", hint: here.name, to: paths.home(here.id, "backups") },
        { label: "Repository", hint: here.name, to: paths.home(here.id, "repository") },
        { label: "Costs", hint: here.name, to: paths.costs(here.id) },
        { label: "Timeline", hint: here.name, to: paths.timeline(here.id) },
        { label: "Audit", hint: here.name, to: paths.audit(here.id) },
      ]
    : [];
  const others = projects.filter(({ id }) => id !== open);
  return [
    ...inside,
    { label: "My Projects", hint: "Page", to: paths.projects() },
    ...others.map(({ id, name }) => ({ label: name, hint: "Project", to: paths.project(id) })),
  ];
}

/** The places that contain every typed word. */
export function found(all: readonly Place[], typed: string): Place[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ label, hint }) => {
    const text = `${label} ${hint}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
