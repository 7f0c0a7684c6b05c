import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { problemText } from "../api/errors";
import { sandboxQuery } from "../api/sandbox";
import { type FilesConnection, isProblem } from "../files/connection";
import { byteLength } from "../files/messages";
import { useFilesConnection, useLogFile, useRefresh } from "../files/use-files";
import { plainOutput } from "../lib/ansi";
import { paths } from "../lib/paths";
import { lastLines } from "../lib/text";
import { displayedStatus } from "../sandbox/container";
import { Button } from "../ui/button";
import { Code } from "../ui/code";
import { Problem } from "../ui/states";

/** How many lines of each log are shown. */
const LINES = 10;

interface LogsProps {
  projectId: number;
  /** The log files, relative to the workspace. */
  files: readonly string[];
  /** Adds a title above the content. */
  titled: (content: ReactNode) => ReactNode;
}

const Note = ({ children }: { children: ReactNode }) => <p className="text-ink-2 text-note">{children}</p>;

/** The ends of the services' log files, while the sandbox runs; renders nothing if the project names none. */
export function Logs({ projectId, files, titled }: LogsProps) {
  const sandbox = useQuery(sandboxQuery(projectId));
  if (files.length === 0 || !sandbox.data) return null;
  if (displayedStatus(sandbox.data.container_status) !== "running") {
    return titled(<Note>The sandbox is not running. Start it to read the logs.</Note>);
  }
  return titled(<Ends projectId={projectId} files={files} />);
}

function Ends({ projectId, files }: Pick<LogsProps, "projectId" | "files">) {
  const connection = useFilesConnection();
  const refresh = useRefresh(projectId);
  return (
    <div className="flex flex-col gap-3">
      {files.map((path) => (
        <End key={path} projectId={projectId} connection={connection} path={path} />
      ))}
      <div>
        <Button size="small" onClick={refresh}>
          <RotateCw size={14} aria-hidden /> Read again
        </Button>
      </div>
    </div>
  );
}

function End({
  projectId,
  connection,
  path,
}: {
  projectId: number;
  connection: FilesConnection | undefined;
  path: string;
}) {
  const file = useLogFile(projectId, connection, path);
  const text = file.data && plainOutput(file.data.content).trimEnd();
  const end = text && lastLines(text, LINES);
  const isCut = file.data !== undefined && byteLength(file.data.content) < file.data.bytes;
  return (
    <div>
      <p className="mb-1 text-ink-2 text-note [overflow-wrap:anywhere]">
        <span className="font-mono text-ink text-small">{path}</span>
        {end ? ` · last ${LINES} lines` : isCut && " · its end"}
      </p>
      {isProblem(file.error, "too_large") ? (
        // A sandbox that started before this version reads only small files.
        <Note>
          This log is too large for this sandbox to show its end.{" "}
          <Link to={paths.home(projectId, "terminal")} className="underline underline-offset-3">
            Read its end in the terminal
          </Link>{" "}
          with <code className="wrap-anywhere font-mono text-small">tail -n 50 {path}</code>.
        </Note>
      ) : file.isError ? (
        <Problem>The log could not be read. {problemText(file.error)}</Problem>
      ) : text === undefined ? (
        <Note>Reading the log...</Note>
      ) : text === "" ? (
        <Note>The log is empty.</Note>
      ) : (
        <Code label={`The end of ${path}`} text={end || text} />
      )}
    </div>
  );
}
