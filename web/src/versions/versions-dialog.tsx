import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { documentationKey } from "../api/documentation";
import {
  type DocumentId,
  restoreVersion,
  type VersionHead,
  versionQuery,
  versionsQuery,
} from "../api/documents";
import { problemText } from "../api/errors";
import { dayAndTime } from "../lib/time";
import { useOnce } from "../lib/use-once";
import { difference } from "../review/diff";
import { Counts, DiffView } from "../review/diff-view";
import { Button } from "../ui/button";
import { cx } from "../ui/class";
import { Dialog } from "../ui/dialog";
import { Scroll } from "../ui/scroll";
import { DocumentSkeleton, Failure, Problem } from "../ui/states";
import { DOCUMENT_NAMES } from "./words";

interface VersionsDialogProps {
  projectId: number;
  document: DocumentId;
  onClose: () => void;
}

/** All stored versions of a document: the differences between them, and a way to restore each. */
export default function VersionsDialog({ projectId, document, onClose }: VersionsDialogProps) {
  const list = useQuery(versionsQuery(projectId, document));
  const [chosen, setChosen] = useState<number>();
  const versions = list.data?.versions ?? [];
  // The most common question is what the newest version changed.
  const selected = versions.find(({ number }) => number === chosen) ?? versions[0];
  return (
    <Dialog full title={`Versions of the ${DOCUMENT_NAMES[document]}`} onClose={onClose}>
      {list.isPending && <DocumentSkeleton label="Loading versions..." />}
      {list.isError && (
        <Failure
          title="The versions could not be loaded"
          error={list.error}
          retry={() => void list.refetch()}
        />
      )}
      {selected && (
        <>
          <div className="mt-3 flex min-h-0 flex-1 border-line border-t max-wide:flex-col short:flex-row">
            <VersionList versions={versions} selected={selected} onSelect={setChosen} />
            <Comparison projectId={projectId} document={document} versions={versions} selected={selected} />
          </div>
          <Foot projectId={projectId} document={document} selected={selected} onClose={onClose}>
            The last {list.data?.most_former} former versions are kept.
          </Foot>
        </>
      )}
    </Dialog>
  );
}

interface VersionListProps {
  versions: VersionHead[];
  selected: VersionHead;
  onSelect: (number: number) => void;
}

function VersionList({ versions, selected, onSelect }: VersionListProps) {
  return (
    <nav
      aria-label="Versions"
      className="w-66 shrink-0 overflow-y-auto border-line border-r p-2 max-wide:max-h-40 max-wide:w-auto max-wide:border-r-0 max-wide:border-b short:max-h-none short:w-52 short:border-r short:border-b-0"
    >
      <ol className="flex flex-col gap-0.5">
        {versions.map((version) => (
          <li key={version.number}>
            <button
              type="button"
              aria-current={version === selected}
              {...(version === selected ? { "data-first": true } : {})}
              onClick={() => onSelect(version.number)}
              className={cx(
                "flex w-full flex-col rounded-box px-3 py-2 text-left",
                version === selected ? "bg-sunken" : "hover:bg-sunken",
              )}
            >
              <span className="font-[560]">
                Version {version.number}
                {version.present && <span className="font-normal text-ink-2"> · present</span>}
              </span>
              <span className="text-ink-2 text-small">
                {version.written_at ? dayAndTime(version.written_at) : "before versions were kept"}
                {version.restored_from && `, restored from ${version.restored_from}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface ComparisonProps {
  projectId: number;
  document: DocumentId;
  versions: VersionHead[];
  selected: VersionHead;
}

/** The changes of the present version, or the changes since an earlier one. */
function Comparison({ projectId, document, versions, selected }: ComparisonProps) {
  const place = versions.indexOf(selected);
  const [before, after] = selected.present ? [versions[place + 1], selected] : [selected, versions[0]];
  const old = useQuery({
    ...versionQuery(projectId, document, before?.number ?? 0),
    enabled: before !== undefined,
  });
  const now = useQuery({
    ...versionQuery(projectId, document, after?.number ?? 0),
    enabled: after !== undefined,
  });
  const failed = old.error ?? now.error;
  if (failed) return <Failure title="This version could not be loaded" error={failed} />;
  if (!now.data || (before && !old.data)) return <DocumentSkeleton label="Loading the version..." />;
  return (
    <Scroll label="What changed" className="min-h-0 min-w-0 flex-1 overflow-auto">
      <p className="border-line border-b px-4.5 py-2.5 text-ink-2 text-note">
        {!before && "This is the only version that is kept."}
        {before && selected.present && `What version ${selected.number} changed.`}
        {before && !selected.present && `What has changed since version ${selected.number}.`}
      </p>
      {now.data.parts.map(({ title, text }) => {
        const former = old.data?.parts.find((part) => part.title === title)?.text ?? "";
        return (
          <section key={title} aria-label={title} className="border-line border-b">
            <h3 className="flex items-center justify-between gap-3 px-4.5 pt-3 pb-1.5 text-note">
              {title} <Counts difference={difference(former, text)} />
            </h3>
            <DiffView before={former} after={text} lang={undefined} wrap />
          </section>
        );
      })}
    </Scroll>
  );
}

interface FootProps {
  projectId: number;
  document: DocumentId;
  selected: VersionHead;
  onClose: () => void;
  children: React.ReactNode;
}

function Foot({ projectId, document, selected, onClose, children }: FootProps) {
  const queries = useQueryClient();
  const restore = useOnce({
    mutationFn: () => restoreVersion(document, selected.number),
    onSuccess: async () => {
      const keys = [["planning", projectId], ["validation", projectId], documentationKey(projectId)];
      await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
      onClose();
    },
  });
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4.5 py-3 short:py-1.5">
      {restore.isError && (
        <div className="basis-full">
          <Problem>{problemText(restore.error)}</Problem>
        </div>
      )}
      <p className="mr-auto text-ink-2 text-small">{children} Restoring one keeps the present version too.</p>
      <Button disabled={selected.present} pending={restore.isPending} onClick={() => restore.mutate()}>
        {restore.isPending ? "Restoring..." : `Restore version ${selected.number}`}
      </Button>
    </footer>
  );
}
