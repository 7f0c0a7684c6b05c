import { Link } from "react-router";
import { paths } from "../lib/paths";

/** What the sections of a project say before any of its steps has run. */
export function Unbuilt({ projectId }: { projectId: number }) {
  return (
    <div className="flex flex-col gap-3 px-6.5 py-6 max-narrow:px-4.5">
      <p>
        Nothing has been built yet, so there is nothing to describe. This page fills as soon as the first step
        is completed.
      </p>
      <p>
        <Link
          to={paths.project(projectId)}
          className="text-ink underline decoration-line-strong underline-offset-3 hover:decoration-current"
        >
          Go to the stages
        </Link>
      </p>
    </div>
  );
}
