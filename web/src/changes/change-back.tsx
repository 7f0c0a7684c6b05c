import { Link } from "react-router";
import { keepChecked } from "../api/checked-draft";
import { drafts } from "../lib/drafts";
import { paths } from "../lib/paths";
import { buttonClass } from "../ui/button";
import { wishBack } from "./examples";
import { wishDraft } from "./use-begin-change";

interface ChangeBackProps {
  projectId: number;
  /** What is no longer as described. */
  described: readonly string[];
}

/** The ways to bring a drifted project back: a change with a prepared request, or the helper. */
export function ChangeBack({ projectId, described }: ChangeBackProps) {
  const prepare = () => {
    const key = wishDraft(projectId);
    if (drafts.get(key) !== undefined) return;
    const message = wishBack(described);
    keepChecked(key, message, { message, marks: { secrets: [], notSecrets: [] } });
  };
  return (
    <div className="mt-2.5 flex flex-wrap gap-2 print:hidden">
      <Link to={paths.home(projectId, "changes")} onClick={prepare} className={buttonClass("plain", "small")}>
        Change it back
      </Link>
      <Link to={paths.home(projectId, "devops-helper")} className={buttonClass("quiet", "small")}>
        Ask the DevOps helper
      </Link>
    </div>
  );
}
