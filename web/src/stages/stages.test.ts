import { expect, test } from "vitest";
import type { ProjectState, Stage, StageId } from "../api/project-states";
import { currentStage, enabledStages, isAhead, shownStage, withCurrentStage, withStage } from "./stages";

const stage = (stage_id: StageId, order: number, more: Partial<Stage> = {}): Stage => ({
  stage_id,
  name: stage_id,
  description: "",
  agent_id: "executor",
  order,
  is_enabled: true,
  is_active: false,
  is_completed: false,
  ...more,
});
const state = (current_stage_index: number, ...stages: Stage[]): ProjectState => ({
  current_stage_index,
  stages,
  change: null,
});

test("only enabled stages are kept, in order", () => {
  const stages = enabledStages(
    state(
      0,
      stage("architecture", 1),
      stage("implementation", 2, { is_enabled: false }),
      stage("requirements", 0),
    ),
  );
  expect(stages.map((stage) => stage.stage_id)).toEqual(["requirements", "architecture"]);
});

test("an index beyond the enabled stages means the last one", () => {
  expect(currentStage(state(9, stage("requirements", 0), stage("architecture", 1)))?.stage_id).toBe(
    "architecture",
  );
  expect(currentStage(state(0))).toBeUndefined();
});

test("the stage that becomes current is active, and earlier ones stay so", () => {
  const next = withCurrentStage(
    state(0, stage("requirements", 0, { is_active: true }), stage("architecture", 1)),
    "architecture",
  );
  expect(next.current_stage_index).toBe(1);
  expect(next.stages.map((stage) => stage.is_active)).toEqual([true, true]);
});

test("an unknown stage changes nothing", () => {
  const before = state(0, stage("requirements", 0));
  expect(withCurrentStage(before, "validation")).toBe(before);
});

test("the server's answer is merged into the stage", () => {
  const next = withStage(
    state(0, stage("requirements", 0), stage("architecture", 1)),
    stage("requirements", 0, { is_completed: true }),
  );
  expect(next.stages.map((stage) => stage.is_completed)).toEqual([true, false]);
});

test("an address shows the stage that it names, if that can be viewed", () => {
  const project = state(
    1,
    stage("requirements", 0, { is_active: true }),
    stage("architecture", 1, { is_active: true }),
    stage("implementation", 2),
  );
  const shown = (asked: string | null) => shownStage(project, asked)?.stage_id;
  expect(shown("requirements")).toBe("requirements");
  for (const asked of [null, "implementation", "nowhere"]) expect(shown(asked)).toBe("architecture");
  expect([isAhead(project, "requirements"), isAhead(project, "implementation")]).toEqual([false, true]);
});
