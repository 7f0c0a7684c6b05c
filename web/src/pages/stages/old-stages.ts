import type { Documents } from "../../api/documents";
import type { StageId } from "../../api/project-states";
import { STAGE } from "../../stages/stages";

/** The stages whose result is older than its source. */
export function oldStages(documents: Documents | undefined): StageId[] {
  if (!documents) return [];
  const old = documents.documents.filter(({ out_of_date }) => out_of_date !== null);
  const stages: StageId[] = old.flatMap(({ document }) => (document === "documentation" ? [] : [document]));
  return documents.steps_out_of_date ? [...stages, STAGE.execution] : stages;
}
