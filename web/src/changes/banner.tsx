import { Link } from "react-router";
import type { ProjectState } from "../api/project-states";
import { useFoundDrift } from "../drift/found";
import { paths } from "../lib/paths";
import { buttonClass } from "../ui/button";
import { Pill } from "../ui/pill";
import { isChangeable, isTornDown } from "./torn-down";

/**
 * Shown above the stages: the change to which they belong, or a link to begin the next one; and whether what was built
 * has drifted, which the stages do not say.
 */
export function ChangeBanner({ projectId, state }: { projectId: number; state: ProjectState }) {
  const { change } = state;
  const isGone = isTornDown(state);
  const changeable = isChangeable(state);
  const done = isGone || changeable;
  const drift = useFoundDrift(projectId, changeable);
  if (!change && !done) return null;
  return (
    <section
      aria-label="Current change"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-b bg-surface px-6.5 py-2 text-note max-narrow:px-3.5"
    >
      {change && (
        <p className="flex min-w-0 flex-1 items-center gap-2">
          <span className="shrink-0 font-[560]">Change {change.number}</span>
          <span className="min-w-0 truncate" title={change.wish}>
            {change.wish}
          </span>
          {done && <Pill tone={isGone ? "idle" : "ok"}>{isGone ? "torn down" : "completed"}</Pill>}
        </p>
      )}
      {!change && !drift && <p className="min-w-0 flex-1">This project is built and validated.</p>}
      {drift && (
        <p className="flex flex-wrap items-center gap-x-3 text-bad first:flex-1">
          No longer as described: {drift}
          <Link
            to={`${paths.home(projectId, "result")}#health`}
            className="text-ink underline underline-offset-2"
          >
            See what drifted
          </Link>
        </p>
      )}
      <Link to={paths.home(projectId, "changes")} className={buttonClass("plain", "small")}>
        {changeable ? "Change something" : "All changes"}
      </Link>
    </section>
  );
}
