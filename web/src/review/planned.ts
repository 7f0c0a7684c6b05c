/** The changes of a saved Terraform plan, in words. */
import type { Step } from "../api/execution";

export type SavedPlan = NonNullable<Step["saved_plan"]>;
export type PlannedResource = SavedPlan["resources"][number];
export type PlannedValue = PlannedResource["values"][number];
export type PlanAction = PlannedResource["action"];

/** Each action: Terraform's sign for it, its word and its color, most severe first. */
export const ACTIONS: Record<PlanAction, { sign: string; word: string; ink: string }> = {
  delete: { sign: "−", word: "delete", ink: "text-bad" },
  replace: { sign: "±", word: "replace", ink: "text-bad" },
  update: { sign: "~", word: "change", ink: "text-signal-text" },
  create: { sign: "+", word: "create", ink: "text-ok" },
};

/** How many changes of each kind there are, without kinds that do not occur. */
export function countsOf(plan: SavedPlan): { action: PlanAction; text: string }[] {
  const order = Object.keys(ACTIONS) as PlanAction[];
  return order
    .filter((action) => plan[action] > 0)
    .map((action) => ({ action, text: `${plan[action]} to ${ACTIONS[action].word}` }));
}

/** A value before and after; undefined if it does not exist. */
export function sidesOf(value: PlannedValue, action: PlanAction): { before?: string; after?: string } {
  if (value.hidden) return { after: "sensitive, not shown" };
  const after = value.unknown ? "known after it is applied" : (value.after ?? undefined);
  const before = value.before ?? undefined;
  if (before === undefined && after === undefined) return {};
  return action === "delete" ? { before } : { before, after: after ?? "removed" };
}

/** A step's relation to plans: it saved one, it applies one, or the one that it applies was made again. */
export function planOf(
  step: Pick<Step, "saved_plan" | "applies_plan">,
): { is: "saved" | "applied"; plan: SavedPlan } | { is: "gone" } | undefined {
  const { saved_plan, applies_plan } = step;
  if (applies_plan == null) return saved_plan ? { is: "saved", plan: saved_plan } : undefined;
  return saved_plan ? { is: "applied", plan: saved_plan } : { is: "gone" };
}
