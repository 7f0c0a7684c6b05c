import { useQuery, useQueryClient } from "@tanstack/react-query";
import { documentationKey, requestDocumentation } from "../api/documentation";
import { documentsKey, documentsQuery, standingOf } from "../api/documents";
import { useOnce } from "../lib/use-once";
import { OutOfDate, Renew } from "../versions/out-of-date";
import { whyOld } from "../versions/words";

/** Reports that commands have run since the documentation was written, and offers to rewrite it. */
export function OldDocumentation({ projectId }: { projectId: number }) {
  const documents = useQuery(documentsQuery(projectId));
  const queries = useQueryClient();
  const renew = useOnce({
    // A rewrite continues to its end even if the user leaves this page.
    mutationFn: () => requestDocumentation(new AbortController().signal),
    onSettled: async () => {
      const keys = [documentationKey(projectId), documentsKey(projectId)];
      await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const moved = standingOf(documents.data, "documentation")?.out_of_date;
  if (!moved) return null;
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <OutOfDate
        why={whyOld("documentation", moved)}
        action={
          <Renew
            label={["Renew the documentation", "Writing..."]}
            busy={renew.isPending}
            onRenew={() => renew.mutate()}
          />
        }
        error={renew.error}
      />
    </div>
  );
}
