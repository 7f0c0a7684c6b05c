import { FilePlus2, RefreshCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { SandboxNeeded } from "../sandbox/sandbox-needed";
import { cx } from "../ui/class";
import { Empty } from "../ui/states";
import { Tool } from "../ui/tool";
import { toggled, unsavedPaths, useDesk, withDraft } from "./desk";
import { FilePane } from "./file-pane";
import { NewFile } from "./new-file";
import { Path } from "./path";
import { foldersTo, join, parentOf, rowsOf } from "./rows";
import { isTaken } from "./taken";
import { Tree } from "./tree";
import { Unsaved } from "./unsaved";
import { useFilesConnection, useFolders, useRefresh } from "./use-files";

interface FileBrowserProps {
  projectId: number;
  /** Changes when a command may have changed files; then everything is read again. */
  stamp?: string | undefined;
}

/** The sandbox's workspace: its tree and the open file, side by side if there is room. */
export default function FileBrowser({ projectId, stamp }: FileBrowserProps) {
  const connection = useFilesConnection();
  const [desk, change] = useDesk(projectId);
  const { folder, away, reading } = useFolders(projectId, connection, desk.expanded);
  const refresh = useRefresh(projectId);
  useRefreshWhen(stamp, refresh);
  const [creating, setCreating] = useState(false);
  const tree = useRef<HTMLDivElement>(null);
  const { file } = desk;
  const close = () => {
    change((desk) => ({ ...desk, file: undefined }));
    requestAnimationFrame(() =>
      tree.current?.querySelector<HTMLElement>("[role=treeitem][tabindex='0']")?.focus(),
    );
  };
  const open = (path: string) => change((desk) => ({ ...desk, file: path, selected: path }));
  const show = (path: string) => {
    // A folder on the path: open it in the tree.
    change((desk) => foldersTo(join(path, "-")).reduce((desk, folder) => toggled(desk, folder, true), desk));
    close();
  };
  const here = desk.expanded.has(desk.selected) ? desk.selected : parentOf(desk.selected);
  const rows = rowsOf(folder, desk.expanded);
  // Without a sandbox and without earlier data there is nothing to choose from.
  const nothing = away && rows[0]?.row === "note";
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <Bar reading={reading} onNewFile={() => setCreating(true)} onRefresh={refresh}>
        <Path path={file ?? here} isFile={file !== undefined} onShow={show} />
      </Bar>
      {away && (
        <SandboxNeeded
          projectId={projectId}
          detail=""
          purpose="to see your files"
          then="Files appear automatically."
        />
      )}
      <div className="flex min-h-0 flex-1">
        <div
          ref={tree}
          className={cx(
            "@container min-h-0 flex-1 flex-col @min-[700px]:flex @min-[700px]:max-w-72",
            !nothing && "@min-[700px]:border-line @min-[700px]:border-r",
            file === undefined ? "flex" : "hidden",
          )}
        >
          {!nothing && (
            <Tree
              rows={rows}
              selected={desk.selected}
              shown={file}
              unsaved={unsavedPaths(desk)}
              onSelect={(selected) => change((desk) => ({ ...desk, selected }))}
              onToggle={(path, open) => change((desk) => toggled(desk, path, open))}
              onOpen={open}
            />
          )}
        </div>
        <div
          className={cx(
            "min-h-0 min-w-0 flex-1 flex-col @min-[700px]:flex",
            file === undefined ? "hidden" : "flex",
          )}
        >
          {file === undefined ? (
            !nothing && <Empty title="No file is open">Choose one on the left to read or change it.</Empty>
          ) : (
            <FilePane
              key={file}
              projectId={projectId}
              connection={connection}
              path={file}
              desk={desk}
              change={change}
              onClose={close}
            />
          )}
        </div>
      </div>
      {creating && (
        <NewFile
          folder={here === "" ? "" : `${here}/`}
          isTaken={(path) => isTaken(connection, path)}
          onClose={() => setCreating(false)}
          onOpen={open}
          onCreate={(path) =>
            change((desk) => withDraft(desk, path, desk.drafts[path] ?? { base: null, saved: "", text: "" }))
          }
        />
      )}
      <Unsaved projectId={projectId} paths={unsavedPaths(desk)} />
    </div>
  );
}

interface BarProps {
  /** Whether files are being read. */
  reading: boolean;
  onNewFile: () => void;
  onRefresh: () => void;
  children: React.ReactNode;
}

function Bar({ reading, onNewFile, onRefresh, children }: BarProps) {
  return (
    <div className="flex min-h-10 shrink-0 items-center gap-1.5 border-line border-b pr-2 pl-3.5">
      {children}
      <span className="ml-auto flex shrink-0">
        <Tool label="New file" onClick={onNewFile}>
          <FilePlus2 size={15} aria-hidden />
        </Tool>
        <Tool label="Refresh files" onClick={onRefresh}>
          <RefreshCw size={14} aria-hidden className={cx(reading && "animate-turn")} />
        </Tool>
      </span>
    </div>
  );
}

/** Reads everything again when the stamp changes, but not for the first one. */
function useRefreshWhen(stamp: string | undefined, refresh: () => void) {
  const last = useRef(stamp);
  useEffect(() => {
    if (last.current !== undefined && stamp !== last.current) refresh();
    last.current = stamp;
  }, [stamp, refresh]);
}
