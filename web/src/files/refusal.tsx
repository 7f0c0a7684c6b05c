import { FileLock2, FileQuestion, FileX2, HardDriveDownload } from "lucide-react";
import { Link } from "react-router";
import { problemText } from "../api/errors";
import { paths } from "../lib/paths";
import { entryOf } from "../lib/table";
import type { FileFailure } from "../socket/protocol";
import { Button } from "../ui/button";
import { Empty, Failure } from "../ui/states";
import { FileProblem } from "./connection";

interface Meaning {
  title: string;
  text: string;
  Icon: typeof FileX2;
  /** Whether a download helps. */
  download: boolean;
}

/** The meaning of each refusal for the reader; the others are failures, which may pass. */
const REFUSALS: Record<FileFailure, Meaning | undefined> = {
  too_large: {
    title: "This file is too large to open here",
    text: "Files of up to 64 KiB can be read and changed here.",
    Icon: HardDriveDownload,
    download: true,
  },
  binary: {
    title: "This is not a text file",
    text: "It cannot be shown or changed here.",
    Icon: FileX2,
    download: true,
  },
  denied: {
    title: "This file is not shown here",
    text: "It is a private key, or belongs to another user of the sandbox.",
    Icon: FileLock2,
    download: false,
  },
  outside: {
    title: "This leads out of the workspace",
    text: "It is a link to something outside the workspace. Only files in the workspace are shown here.",
    Icon: FileX2,
    download: false,
  },
  not_a_file: {
    title: "This is not a text file",
    text: "It is neither a file nor a folder, but a socket, a pipe or a device.",
    Icon: FileQuestion,
    download: false,
  },
  not_found: {
    title: "This file is gone",
    text: "It was moved or deleted in the sandbox.",
    Icon: FileQuestion,
    download: false,
  },
  not_a_directory: undefined,
  conflict: undefined,
  no_space: undefined,
  unavailable: undefined,
};

interface RefusalProps {
  projectId: number;
  error: Error;
  onRetry: () => void;
  onClose: () => void;
}

/** The reason why a file cannot be shown, and the alternatives. */
export function Refusal({ projectId, error, onRetry, onClose }: RefusalProps) {
  const refusal = error instanceof FileProblem ? entryOf(REFUSALS, error.code) : undefined;
  if (!refusal) return <Failure title="The file could not be read" error={error} retry={onRetry} />;
  const { title, text, Icon, download } = refusal;
  return (
    <div role="alert" className="m-auto flex flex-col items-center" title={problemText(error)}>
      <Icon size={26} aria-hidden className="-mb-6 mt-6 text-ink-3" />
      <Empty
        title={title}
        action={
          <Button size="small" onClick={onClose}>
            Back to the files
          </Button>
        }
      >
        {text}
        {download && (
          <>
            {" "}
            To get it onto your own machine, use{" "}
            <Link
              to={paths.home(projectId)}
              className="underline decoration-line-strong underline-offset-3 hover:decoration-current"
            >
              Download Workspace Directory
            </Link>{" "}
            on the project's home.
          </>
        )}
      </Empty>
    </div>
  );
}
