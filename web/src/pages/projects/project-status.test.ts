import { expect, test } from "vitest";
import type { ListedProject } from "../../api/projects";
import { statusOf } from "./project-status";

type Status = NonNullable<ListedProject["attention"]>["status"];

const listed = (stage: ListedProject["stage"], stages_completed: number, status?: Status): ListedProject => ({
  id: 1,
  name: "Shop",
  description: null,
  created_at: "",
  updated_at: "",
  archived: false,
  stage,
  change: 1,
  torn_down: false,
  stages_completed,
  drifted_checks: 0,
  total_cost: "0.000000",
  container_status: "NotRunning",
  attention: status ? { step_number: 4, status } : null,
});

test("a card shows what its project waits for", () => {
  expect(statusOf(listed("execution", 3, "waiting_approval"))).toEqual({
    tone: "signal",
    text: "step 4 waits for you",
    waits: true,
  });
  expect(statusOf(listed("validation", 4, "failed")).text).toBe("check 4 failed");
  expect(statusOf(listed("execution", 3, "in_progress"))).toMatchObject({ tone: "run", waits: false });
  expect(statusOf(listed("execution", 3, "completed")).text).toBe("Execution");
  expect(statusOf(listed("requirements", 0)).text).toBe("Requirements");
  expect(statusOf(listed("validation", 5, "completed"))).toMatchObject({ tone: "ok", text: "completed" });
  const drifted = { ...listed("validation", 5, "completed"), drifted_checks: 2 };
  expect(statusOf(drifted)).toEqual({ tone: "bad", text: "drift: 2 checks", waits: true });
});

test("a card says that its project is torn down", () => {
  const gone = { ...listed("validation", 5, "completed"), change: 2, torn_down: true };
  expect(statusOf(gone)).toEqual({ tone: "idle", text: "torn down", waits: false });
});

test("a card names the change that its project works on", () => {
  const changing = (project: ListedProject) => statusOf({ ...project, change: 2 });
  expect(changing(listed("requirements", 0)).text).toBe("Change 2 · Requirements");
  expect(changing(listed("execution", 3, "waiting_approval"))).toEqual({
    tone: "signal",
    text: "Change 2 · step 4 waits for you",
    waits: true,
  });
  expect(changing(listed("validation", 5, "completed")).text).toBe("completed");
  expect(changing({ ...listed("requirements", 0), archived: true }).text).toBe("archived");
});
