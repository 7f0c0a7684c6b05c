import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import type { AuditEntry } from "../api/audit";
import { ApiError, isTransient, problemText } from "../api/errors";
import { queryClient } from "../api/query-client";
import { type SharedTimeline, sharedTimelineQuery } from "../api/shares";
import { dayAndTime } from "../lib/time";
import { timeline } from "../timeline/events";
import { sharedOutputOfRun } from "../timeline/output";
import { PrintedOutput } from "../timeline/printed";
import { DaysOrReplay, ReplayButton, useReplay } from "../timeline/replay";
import { SharedDocuments } from "../timeline/shared-documents";
import { FullPage } from "../ui/full-page";
import { HomeLink } from "../ui/home-link";
import { Mark } from "../ui/mark";
import { DocumentSkeleton, Empty, Failure } from "../ui/states";

/** A project's timeline for a person who has a link to it; needs no account. */
export function Component() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shared />
    </QueryClientProvider>
  );
}

function Shared() {
  // Browsers do not send the part after the `#` to a server.
  const key = useLocation().hash.slice(1);
  const shared = useQuery({ ...sharedTimelineQuery(key), enabled: key !== "" });
  if (key === "") return <Over text="This address is incomplete: copy the full link." />;
  if (shared.data) return <SharedProject shared={shared.data} />;
  if (shared.error instanceof ApiError && !isTransient(shared.error))
    return <Over text={problemText(shared.error)} />;
  return (
    <main className="mx-auto max-w-4xl px-6.5 py-6 max-narrow:px-4">
      <title>Timeline · Groundcrew</title>
      {shared.isError ? (
        <Failure
          title="The timeline could not be read"
          error={shared.error}
          retry={() => void shared.refetch()}
        />
      ) : (
        <DocumentSkeleton label="Loading the timeline..." />
      )}
    </main>
  );
}

function Over({ text }: { text: string }) {
  return (
    <FullPage title="No timeline here">
      <p className="text-ink-2">{text}</p>
      <HomeLink />
    </FullPage>
  );
}

function SharedProject({ shared }: { shared: SharedTimeline }) {
  const { audit, documents, changes } = shared;
  const days = timeline({ audit, versions: documents, costs: shared.days, changes });
  const replay = useReplay();
  const printed = (entry: AuditEntry) => (
    <PrintedOutput entry={entry} output={sharedOutputOfRun(entry, shared)} />
  );
  return (
    <main className="mx-auto max-w-4xl px-6.5 py-6 max-narrow:px-4">
      <title>{`${shared.project} · Timeline`}</title>
      <Mark size={26} />
      <h1 className="mt-3 break-words text-title">{shared.project}</h1>
      <p className="text-ink-2">
        Timeline of a Groundcrew project, shared read-only until{" "}
        <time dateTime={shared.ends_at}>{dayAndTime(shared.ends_at)}</time>
      </p>
      {days.length === 0 ? (
        <Empty title="Nothing has happened yet">
          What is written, approved and run is listed here by day, with what each day cost.
        </Empty>
      ) : (
        <>
          <div className="mt-3">
            <ReplayButton replay={replay} />
          </div>
          <DaysOrReplay replay={replay} days={days} printed={printed} />
          {shared.audit_left_out && (
            <p className="mt-3 text-ink-2 text-note">
              The oldest decisions and runs are left out, because there are too many for this page.
            </p>
          )}
        </>
      )}
      <SharedDocuments documents={documents} />
    </main>
  );
}
