/** How often each step was re-executed automatically, stored in the browser so that a reload does not reset it. */
const key = (projectId: number, planId: string, stepNumber: number) =>
  `groundcrew:auto-retry:${projectId}:${planId}:${stepNumber}`;

type Counts = Pick<Storage, "getItem" | "setItem">;

export function retriesOf(storage: Counts, projectId: number, planId: string, stepNumber: number): number {
  const count = Number(storage.getItem(key(projectId, planId, stepNumber)));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

export function countRetry(storage: Counts, projectId: number, planId: string, stepNumber: number) {
  const count = retriesOf(storage, projectId, planId, stepNumber) + 1;
  storage.setItem(key(projectId, planId, stepNumber), String(count));
}
