/** The places that the palette leads to, and which of them match the typed text. */
import type { ListedProject } from "../api/projects";
import { paths } from "../lib/paths";
import { searchable } from "../lib/text";

/** A line of the palette. */
export interface Entry {
  label: string;
  /** Its kind, or what it belongs to. */
  hint: string;
}

export interface Place extends Entry {
  to: string;
}

/** An entry that does something instead of leading to a place. */
export interface Action extends Entry {
  run: () => void;
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
        { label: "Changes", hint: here.name, to: paths.home(here.id, "changes") },
        { label: "DevOps Helper Chat", hint: here.name, to: paths.home(here.id, "devops-helper") },
        { label: "Full Documentation", hint: here.name, to: paths.home(here.id, "documentation") },
        { label: "Environment Guide", hint: here.name, to: paths.home(here.id, "environment-guide") },
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

/** The pages that belong to no project; `search` is the query of the list of projects while it is shown. */
export const pages = (search: string): Place[] => [
  { label: "Create New Project", hint: "Action", to: paths.begin("project", search) },
  { label: "Begin From a Repository", hint: "Action", to: paths.begin("repository", search) },
  { label: "E-mail when it is your turn", hint: "Page", to: paths.mail() },
  { label: "Guests", hint: "Page", to: paths.guests() },
];

/** The entries that contain every typed word, in any case and with or without accents. */
export function found<E extends Entry>(all: readonly E[], typed: string): E[] {
  const words = searchable(typed).split(/\s+/).filter(Boolean);
  return all.filter(({ label, hint }) => {
    const text = searchable(`${label} ${hint}`);
    return words.every((word) => text.includes(word));
  });
}
