import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileProblem, type FilesConnection, type FileText, isProblem } from "./connection";
import { type ChangeDesk, type Draft, rebased, saved, withoutDraft } from "./desk";
import { byteLength } from "./messages";
import { parentOf } from "./rows";
import { textKey } from "./use-files";

/** The file has another text now; without a text, the file is gone. */
export class TheirsInTheWay extends Error {
  readonly theirs: FileText | undefined;
  constructor(theirs: FileText | undefined) {
    super("This file has changed since you opened it.");
    this.theirs = theirs;
  }
}

/** Saves a file, and resolves conflicts with concurrent changes. */
export function useSaving(
  projectId: number,
  connection: FilesConnection | undefined,
  path: string,
  change: ChangeDesk,
) {
  const queries = useQueryClient();
  const key = textKey(projectId, path);
  const save = useMutation({
    mutationFn: async (draft: Draft) => {
      if (!connection) throw new FileProblem("unavailable", "There is no connection to the sandbox yet.");
      const sha256 = await connection
        .write(path, draft.base, draft.text)
        .catch((error: unknown) => settle(connection, path, draft, error));
      return { content: draft.text, sha256 };
    },
    onSuccess: ({ content, sha256 }) => {
      queries.setQueryData<FileText>(key, { content, sha256, bytes: byteLength(content) });
      change((desk) => saved(desk, path, content, sha256));
      void queries.invalidateQueries({ queryKey: ["files", projectId, "list", parentOf(path)] });
    },
    onError: (error) => console.error(`${path} could not be saved`, error),
  });
  const conflict = save.error instanceof TheirsInTheWay ? save.error : undefined;
  return {
    save: save.mutate,
    saving: save.isPending,
    saved: save.isSuccess,
    conflict,
    problem: conflict ? undefined : (save.error ?? undefined),
    forget: save.reset,
    /** Takes their text and drops the draft. */
    reload: () => {
      if (conflict?.theirs) queries.setQueryData<FileText>(key, conflict.theirs);
      else void queries.invalidateQueries({ queryKey: key });
      change((desk) => withoutDraft(desk, path));
      save.reset();
    },
    /** Replaces their text with the draft. */
    overwrite: (draft: Draft) => {
      const base = conflict?.theirs?.sha256 ?? null;
      change((desk) => rebased(desk, path, base));
      save.mutate({ ...draft, base });
    },
  };
}

/** Distinguishes a real conflict from a write whose answer was lost; returns the digest for the latter. */
export async function settle(
  connection: Pick<FilesConnection, "read">,
  path: string,
  { base, text: mine }: Pick<Draft, "base" | "text">,
  error: unknown,
): Promise<string> {
  const gone = isProblem(error, "not_found");
  // A file that never was cannot be gone: its name or its folder does not fit.
  if (gone && base === null) throw error;
  if (!gone && !isProblem(error, "conflict")) throw error;
  const theirs = gone
    ? undefined
    : await connection.read(path).catch((unread: unknown) => {
        if (isProblem(unread, "not_found")) return undefined;
        throw unread;
      });
  if (theirs?.content === mine) return theirs.sha256;
  throw new TheirsInTheWay(theirs);
}
