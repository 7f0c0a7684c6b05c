import type { Step } from "../api/execution";

/** What the review of a command can show. */
export type View = "changes" | "script" | "edited" | "earlier" | "back" | "plan";

type Viewed = Pick<Step, "edited" | "earlier" | "rollback" | "prompt">;

/** The views of a step in the order of their tabs; `writes` says whether its command writes files. */
export function viewsOf({ edited, earlier, rollback, prompt }: Viewed, writes: boolean): View[] {
  const views: [View, boolean][] = [
    ["changes", writes],
    ["script", true],
    ["edited", Boolean(edited)],
    ["earlier", Boolean(earlier)],
    ["back", Boolean(rollback)],
    ["plan", Boolean(prompt)],
  ];
  return views.filter(([, there]) => there).map(([view]) => view);
}

/** The chosen view as long as it exists, otherwise the first one. */
export const shownView = (views: readonly View[], chosen: string | undefined): View =>
  views.find((view) => view === chosen) ?? views[0] ?? "script";
