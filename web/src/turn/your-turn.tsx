import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { type Progress, progressKey, progressQuery } from "../api/execution";
import { checksKey, checksQuery } from "../api/validation";
import { paths } from "../lib/paths";
import { readStored } from "../lib/stored";
import { useBadge } from "./badge";
import { notify } from "./notifications";
import { type Turn, turnKey, turnOf, turnText } from "./turn";

interface YourTurnProps {
  projectId: number;
  /** The project's current stage: its steps, or its checks. */
  at: "execution" | "validation";
  /** The rest of the title. */
  title: string;
}

const WATCHED = {
  execution: { key: progressKey, approves: "auto-approve", what: "step" },
  validation: { key: checksKey, approves: "auto-approve-checks", what: "check" },
} as const;

/**
 * Shows that it is the owner's turn where they see it without this page: in the tab's title, its icon, and a
 * notification.
 */
export function YourTurn({ projectId, at, title }: YourTurnProps) {
  const { key, approves, what } = WATCHED[at];
  const navigate = useNavigate();
  const queries = useQueryClient();
  // A background tab keeps polling while something is running, because its owner is elsewhere then.
  const known = queries.getQueryData<Progress>(key(projectId));
  const working = known?.steps.some((step) => step.status === "in_progress") ?? true;
  const steps = useQuery({ ...progressQuery(projectId, working), enabled: at === "execution" });
  const checks = useQuery({ ...checksQuery(projectId, working), enabled: at === "validation" });
  const progress = at === "execution" ? steps : checks;
  const alone = readStored(sessionStorage, `groundcrew:${approves}:${projectId}`) === true;
  const turn = progress.data && turnOf(progress.data, alone);
  useBadge(turn?.is);
  useNotice(progress.data !== undefined, turn, what, title, () => {
    void navigate(paths.project(projectId, at));
  });
  return <title>{turn ? `${turnText(turn, what)} · ${title}` : title}</title>;
}

/** Notifies once for each turn; the turn that was there when the page was opened is on the screen already. */
function useNotice(
  known: boolean,
  turn: Turn | undefined,
  what: "step" | "check",
  title: string,
  onOpen: () => void,
) {
  const open = useRef(onOpen);
  open.current = onOpen;
  const key = turnKey(turn);
  const announced = useRef<string>(undefined);
  useEffect(() => {
    if (!known) return;
    const first = announced.current === undefined;
    if (announced.current === key) return;
    announced.current = key;
    if (!first && turn) notify(turnText(turn, what), title, () => open.current());
  }, [known, key, turn, what, title]);
}
