import { problemText } from "../api/errors";
import { Button } from "../ui/button";
import { Editor } from "../ui/editor";
import { DocumentSkeleton, Problem } from "../ui/states";
import { Conflict } from "./conflict";
import { type FilesConnection, isProblem } from "./connection";
import { type ChangeDesk, type Desk, edited, isDirty, withoutDraft } from "./desk";
import { Refusal } from "./refusal";
import { nameOf } from "./rows";
import { useFileText } from "./use-files";
import { useSaving } from "./use-saving";

interface FilePaneProps {
  projectId: number;
  connection: FilesConnection | undefined;
  path: string;
  desk: Desk;
  change: ChangeDesk;
  onClose: () => void;
}

/** One file: its editable text, or the reason why it cannot be shown. */
export function FilePane({ projectId, connection, path, desk, change, onClose }: FilePaneProps) {
  const draft = desk.drafts[path];
  const isNew = draft?.base === null;
  const file = useFileText(projectId, connection, path, !isNew);
  const saving = useSaving(projectId, connection, path, change);
  const dirty = isDirty(draft);
  const name = nameOf(path);
  // Known content stays visible while the sandbox is unavailable; a file that can no longer be shown is removed, unless
  // it is being edited.
  const refused = file.error && !draft && !(file.data && isProblem(file.error, "unavailable"));
  if (refused) {
    return (
      <Refusal
        projectId={projectId}
        error={file.error}
        onRetry={() => void file.refetch()}
        onClose={onClose}
      />
    );
  }
  if (!draft && !file.data) return <DocumentSkeleton label={`Loading ${name}...`} />;
  const text = draft?.text ?? file.data?.content ?? "";
  const save = () => {
    if (draft && dirty && !saving.saving) saving.save(draft);
  };
  const changedMeanwhile = draft && !isNew && file.data && file.data.sha256 !== draft.base;
  return (
    <>
      {saving.problem && (
        <div className="px-3.5 py-2.5">
          <Problem>This file could not be saved. {problemText(saving.problem)}</Problem>
        </div>
      )}
      {changedMeanwhile && !saving.conflict && (
        <p role="status" className="border-line border-b bg-run-wash px-3.5 py-2 text-note text-run">
          This file has changed in the sandbox since you began. When you save, you choose which text to keep.
        </p>
      )}
      <Editor
        key={path}
        name={name}
        text={text}
        readOnly={false}
        onChange={(next) =>
          change((desk) => edited(desk, path, file.data ?? { content: "", sha256: "" }, next))
        }
        onSave={save}
      />
      <footer className="flex min-h-12 shrink-0 flex-wrap items-center justify-end gap-x-2.5 gap-y-1.5 border-line border-t px-3.5 py-2">
        <span role="status" className="mr-auto text-ink-2 text-small">
          {stateOf({ saving: saving.saving, dirty, isNew, saved: saving.saved }) ?? (
            <span className="pointer-coarse:hidden max-narrow:hidden">Ctrl+S saves</span>
          )}
        </span>
        {dirty && (
          <Button
            size="small"
            pending={saving.saving}
            onClick={() => {
              change((desk) => withoutDraft(desk, path));
              saving.forget();
              if (isNew) onClose();
            }}
          >
            Discard changes
          </Button>
        )}
        <Button size="small" kind="signal" aria-disabled={!dirty} pending={saving.saving} onClick={save}>
          {saving.saving ? "Saving..." : "Save"}
        </Button>
      </footer>
      {saving.conflict && draft && (
        <Conflict
          name={name}
          theirs={saving.conflict.theirs?.content}
          mine={draft.text}
          isNew={isNew}
          busy={saving.saving}
          onReload={saving.reload}
          onOverwrite={() => saving.overwrite(draft)}
          onClose={saving.forget}
        />
      )}
    </>
  );
}

interface State {
  saving: boolean;
  dirty: boolean;
  isNew: boolean;
  saved: boolean;
}

function stateOf({ saving, dirty, isNew, saved }: State): string | undefined {
  if (saving) return "Saving...";
  if (isNew) return "New file, not saved yet";
  if (dirty) return "Unsaved changes";
  return saved ? "Saved" : undefined;
}
