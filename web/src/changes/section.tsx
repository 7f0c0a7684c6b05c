import { useQuery } from "@tanstack/react-query";
import { changesQuery } from "../api/changes";
import { useProjectRoute } from "../api/project-route";
import { Card, CardHeader } from "../ui/card";
import { Pill } from "../ui/pill";
import { Scroll } from "../ui/scroll";
import { DocumentSkeleton, Failure } from "../ui/states";
import { ChangeForm } from "./change-form";
import { ChangeList } from "./change-list";

/** A project as a list of changes, and the way to another one. */
export function ChangesSection() {
  const { projectId } = useProjectRoute();
  const changes = useQuery(changesQuery(projectId));
  const all = changes.data ?? [];
  const current = all.find((change) => change.is_current);
  return (
    <Card label="Changes" className="flex-1">
      <CardHeader title="Changes">
        {changes.data && <Pill tone="idle">{all.length === 1 ? "1 change" : `${all.length} changes`}</Pill>}
      </CardHeader>
      <Scroll
        label="Changes"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        {changes.isPending && <DocumentSkeleton label="Loading the changes..." />}
        {changes.isError && !changes.data && (
          <Failure
            title="The changes could not be read"
            error={changes.error}
            retry={() => void changes.refetch()}
          />
        )}
        {current && (
          <div className="border-line border-b">
            {current.status === "completed" ? (
              <ChangeForm projectId={projectId} />
            ) : (
              <p className="px-4.5 py-4 text-ink-2">
                {current.number === 1
                  ? "You can change this project once all of its stages are completed."
                  : `Change ${current.number} is under way. Complete or abandon it before you begin another.`}
              </p>
            )}
          </div>
        )}
        {changes.data && <ChangeList projectId={projectId} changes={all} />}
      </Scroll>
    </Card>
  );
}
