/** Names of documents, and words for one that is older than its source. */
import type { DocumentId } from "../api/documents";
import type { StageId } from "../api/project-states";

export const DOCUMENT_NAMES: Record<DocumentId, string> = {
  requirements: "requirements",
  architecture: "architecture plan",
  implementation: "implementation plan",
  validation: "validation plan",
  documentation: "documentation",
};

/** What has changed, as the beginning of a sentence. */
const MOVED: Record<StageId, string> = {
  requirements: "The requirements changed",
  architecture: "The architecture plan changed",
  implementation: "The implementation plan changed",
  execution: "Steps or checks ran",
  validation: "Checks ran",
};

const WRITTEN: Record<DocumentId | "steps", string> = {
  requirements: "they were agreed on",
  architecture: "this plan was written",
  implementation: "this plan was written",
  validation: "these checks were planned",
  documentation: "this was written",
  steps: "these steps were made",
};

/** Why a document, or the steps of the execution, is out of date. */
export function whyOld(what: DocumentId | "steps", moved: StageId): string {
  const since =
    what === "validation" && moved === "execution" ? "The steps were planned again" : MOVED[moved];
  return `${since} after ${WRITTEN[what]}.`;
}
