import type { FilesToPush } from "../api/repository";
import { size } from "../lib/bytes";
import { Button } from "../ui/button";
import { FoldLine } from "../ui/fold-line";
import { Scroll } from "../ui/scroll";
import { Listing, SUMMARY } from "./listing";
import { StayingFiles } from "./staying-files";
import { files } from "./words";

interface WhatIsPushedProps {
  shown: FilesToPush;
  repository: string;
  pushing: boolean;
  onPush: () => void;
}

/** What a push would carry, what it changes in the repository, what it leaves out, and the text of the pull request. */
export function WhatIsPushed({ shown, repository, pushing, onPush }: WhatIsPushedProps) {
  const { staying, there } = shown;
  return (
    <section
      aria-label="Files to push"
      className="flex flex-col gap-3 rounded-box border border-line px-4 py-3.5"
    >
      <Listing
        summary={`${files(shown.files.length)} will be pushed`}
        rows={shown.files.map(({ path, bytes }) => ({ path, note: size(bytes) }))}
      />
      <Changed verb="replaced" paths={there?.replaced ?? []} />
      <Changed verb="deleted" paths={there?.deleted ?? []} />
      <StayingFiles staying={staying} />
      <details>
        <FoldLine className={SUMMARY}>The pull request: {shown.title}</FoldLine>
        <Scroll
          label="Text of the pull request"
          className="mt-1.5 max-h-72 overflow-auto whitespace-pre-wrap rounded-control bg-sunken p-3 font-mono text-small"
        >
          {shown.text}
        </Scroll>
      </details>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button kind="signal" disabled={shown.files.length === 0} pending={pushing} onClick={onPush}>
          {pushing ? "Pushing..." : `Push ${files(shown.files.length)}`}
        </Button>
        <span className="text-ink-2 text-note [overflow-wrap:anywhere]">
          to {repository}, branch {shown.branch}
        </span>
      </div>
    </section>
  );
}

/** The repository's files that the push replaces or deletes. */
function Changed({ verb, paths }: { verb: string; paths: string[] }) {
  if (paths.length === 0) return null;
  return (
    <Listing
      summary={`${files(paths.length)} in the repository will be ${verb}`}
      rows={paths.map((path) => ({ path, note: "" }))}
    />
  );
}
