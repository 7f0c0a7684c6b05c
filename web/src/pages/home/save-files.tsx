import { useMutation } from "@tanstack/react-query";
import { Archive, Download, FolderDown } from "lucide-react";
import { useState } from "react";
import { isStatus, problemText } from "../../api/errors";
import type { SandboxStatus } from "../../api/sandbox";
import { downloadFolder, downloadWorkspace, NoProjectPath, type OnBytes } from "../../api/workspace";
import { size } from "../../lib/bytes";
import { useNow } from "../../lib/now";
import { backupAge } from "../../lib/time";
import { displayedStatus } from "../../sandbox/container";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/states";

interface SaveFilesProps {
  projectId: number;
  sandbox: SandboxStatus | undefined;
  /** Whether the sandbox is being started or stopped. */
  busy: boolean;
  backingUp: boolean;
  onBackup: () => void;
}

/** Saving the sandbox's files: both downloads, and the backup. All of them need it running. */
export function SaveFiles({ projectId, sandbox, busy, backingUp, onBackup }: SaveFilesProps) {
  const workspace = useDownload((onBytes) => downloadWorkspace(projectId, onBytes));
  const folder = useDownload(async (onBytes) => {
    if (!sandbox?.username) throw new NoProjectPath();
    await downloadFolder(sandbox.username, onBytes);
  });
  const now = useNow();
  const running = displayedStatus(sandbox?.container_status) === "running";
  const hint = running ? undefined : "This needs a running sandbox.";
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 max-narrow:flex-col max-narrow:items-stretch">
        <Button
          size="small"
          title={hint}
          disabled={!running}
          pending={workspace.isPending}
          onClick={() => workspace.mutate()}
        >
          <Download size={15} aria-hidden />
          {workspace.isPending ? downloading(workspace.bytes) : "Download Workspace Directory"}
        </Button>
        <Button
          size="small"
          title={hint}
          disabled={!running}
          pending={folder.isPending}
          onClick={() => folder.mutate()}
        >
          <FolderDown size={15} aria-hidden />
          {folder.isPending ? downloading(folder.bytes) : "Download Project Folder"}
        </Button>
        <Button size="small" title={hint} disabled={!running} pending={busy || backingUp} onClick={onBackup}>
          <Archive size={15} aria-hidden />
          {backingUp ? "Backing up..." : "Backup Sandbox Files"}
        </Button>
      </div>
      <p className="mt-2 flex min-h-5 flex-wrap gap-x-4 text-ink-2 text-small">
        {sandbox && (
          <>
            {running && <span>Stopping backs up first</span>}
            {sandbox.workspace && (
              <span>
                Workspace: {size(sandbox.workspace.bytes)} of {size(sandbox.workspace.max_bytes)}
              </span>
            )}
            {/* As wide as the longest age: when it changes, nothing moves. */}
            <span className="min-w-46">
              Last backup: <span className="text-ink">{backupAge(sandbox.last_sync_time, now)}</span>
            </span>
          </>
        )}
      </p>
      {(workspace.isError || folder.isError) && (
        <div className="mt-3 flex flex-col gap-2">
          {workspace.isError && (
            <Problem>Failed to download working directory{reason(workspace.error)}</Problem>
          )}
          {folder.isError && <Problem>{folderProblem(folder.error)}</Problem>}
        </div>
      )}
    </>
  );
}

/** A download and its progress. */
function useDownload(download: (onBytes: OnBytes) => Promise<void>) {
  const [bytes, setBytes] = useState(0);
  const run = useMutation({
    mutationFn: () => {
      setBytes(0);
      return download(setBytes);
    },
    onError: (error) => console.error("The download failed", error),
  });
  return { ...run, bytes };
}

const downloading = (bytes: number) => (bytes === 0 ? "Downloading..." : `Downloading... ${size(bytes)}`);

/** Appends the server's own message, if there is one. */
const reason = (error: unknown) => (isStatus(error, 409) ? `: ${problemText(error)}` : "");

const folderProblem = (error: Error) =>
  error instanceof NoProjectPath ? error.message : "Download failed. Please try again.";
