import { useQuery } from "@tanstack/react-query";
import { documentsQuery } from "../api/documents";
import { ToStage } from "../stages/stage-link";
import { STAGE } from "../stages/stages";
import { OutOfDate } from "../versions/out-of-date";
import { DOCUMENT_NAMES, whyOld } from "../versions/words";

/** Reports that the steps belong to an earlier plan, and links to the place where they can be renewed. */
export function OldSteps({ projectId }: { projectId: number }) {
  const documents = useQuery(documentsQuery(projectId));
  const moved = documents.data?.steps_out_of_date;
  if (!moved) return null;
  // A plan that is older than its source is renewed before steps are made from it.
  const to = moved === STAGE.requirements ? STAGE.architecture : STAGE.implementation;
  return (
    <OutOfDate
      why={whyOld("steps", moved)}
      action={
        <ToStage projectId={projectId} from={STAGE.execution} to={to}>
          {`Go to the ${DOCUMENT_NAMES[to]}`}
        </ToStage>
      }
    />
  );
}
