import { Link } from "react-router";
import { paths } from "../lib/paths";
import { buttonClass } from "../ui/button";
import { FullPage } from "../ui/full-page";

export function Component() {
  return (
    <FullPage title="Page Not Found">
      <p className="text-ink-2">The page you're looking for doesn't exist.</p>
      <Link to={paths.projects()} className={buttonClass("plain")}>
        Return to Projects
      </Link>
    </FullPage>
  );
}
