import { ApiError, isRefusal, problemText } from "../api/errors";
import type { FileKind, Stays } from "../api/repository";
import { counted } from "../lib/text";

/** Why a file is not pushed or imported. */
export const WHY: Record<Stays, string> = {
  tools: "a tool's own files",
  private: "may hold keys, state or credentials",
  private_key: "holds a private key",
  credential: "holds a credential of this project",
  secret: "holds what looks like a secret",
  link: "a link",
  not_text: "could not be read",
  packed: "packed or encrypted, so it cannot be searched for secrets",
  too_large: "over 1 MiB",
  name: "its name does not work everywhere",
  servers: "could say which servers commands reach",
};

/** The kind of a file in a repository. */
export const KIND: Record<FileKind, string> = {
  terraform: "Terraform",
  ansible: "Ansible",
  compose: "Compose",
  other: "other",
};

/** Why a push failed. Without an answer, or if the answer says so, the branch may have moved. */
export function pushProblem(error: unknown): string {
  const moved = !(error instanceof ApiError) || isRefusal(error, "push_unclear");
  return moved ? problemText(error) : `Nothing was pushed. ${problemText(error)}`;
}

export const files = (count: number) => counted(count, "file");

/** How many files of each kind there are: `Terraform 3 · other 1`. */
export const kinds = (all: { kind: FileKind }[]) =>
  (Object.keys(KIND) as FileKind[])
    .map((kind) => ({ kind, count: all.filter((file) => file.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${KIND[kind]} ${count}`)
    .join(" · ");
