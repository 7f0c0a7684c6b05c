import { isRouteErrorResponse, useRouteError } from "react-router";
import { ApiError } from "../api/errors";
import { isMissingPart } from "../lib/lazy-part";
import { paths } from "../lib/paths";
import { Button, buttonClass } from "../ui/button";
import { FullPage } from "../ui/full-page";
import { Component as NotFound } from "./not-found";

/** Replaces a page that could not be shown. */
export function RouteError() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  const { message, status } = described(error);
  return (
    <FullPage title="Something went wrong">
      <p className="max-w-prose break-words text-ink-2">{message}</p>
      {status && <p className="font-mono text-ink-3 text-small">{status}</p>}
      <div className="mt-3 flex flex-wrap justify-center gap-2.5">
        {isMissingPart(error) && (
          <Button kind="signal" onClick={() => window.location.reload()}>
            Reload
          </Button>
        )}
        <a href={paths.projects()} className={buttonClass("plain")}>
          Return to Projects
        </a>
      </div>
    </FullPage>
  );
}

const MISSING_PART =
  "A part of this page could not be loaded. The connection failed, or Groundcrew was updated in the meantime.";

function described(error: unknown): { message: string; status: string | undefined } {
  if (isRouteErrorResponse(error)) {
    return { message: String(error.data || error.statusText), status: `${error.status} ${error.statusText}` };
  }
  if (error instanceof ApiError) {
    return { message: error.message, status: `${error.status} ${error.statusText}` };
  }
  if (isMissingPart(error)) return { message: MISSING_PART, status: undefined };
  return { message: error instanceof Error ? error.message : "Unknown error", status: undefined };
}
