import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { type Progress, progressKey, progressQuery } from "../api/execution";
import { checksKey, checksQuery } from "../api/validation";
import { paths } from "../lib/paths";
import { tabStorage } from "../lib/storage";
import { readStored } from "../lib/stored";
import { useBadge } from "./badge";
import { type Notice, noticeKey, noticeOf, noticeText } from "./notice";
import { notify } from "./notifications";

interface NoticeTitleProps {
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
 * Shows the notice where the owner sees it without looking at this page: in the tab's title, its icon, and a browser's
 * notification.
 */
export function NoticeTitle({ projectId, at, title }: NoticeTitleProps) {
  const { key, approves, what } = WATCHED[at];
  const navigate = useNavigate();
  const queries = useQueryClient();
  // A background tab keeps polling while something is running, because its owner is elsewhere then.
  const known = queries.getQueryData<Progress>(key(projectId));
  const working = known?.steps.some((step) => step.status === "in_progress") ?? true;
  const steps = useQuery({ ...progressQuery(projectId, working), enabled: at === "execution" });
  const checks = useQuery({ ...checksQuery(projectId, working), enabled: at === "validation" });
  const progress = at === "execution" ? steps : checks;
  const alone = readStored(tabStorage, `groundcrew:${approves}:${projectId}`) === true;
  const notice = progress.data && noticeOf(progress.data, alone);
  useBadge(notice?.is);
  useNotice(progress.data !== undefined, notice, what, title, () => {
    void navigate(paths.project(projectId, at));
  });
  return <title>{notice ? `${noticeText(notice, what)} · ${title}` : title}</title>;
}

/** Notifies once for each notice; the notice that was there when the page was opened is on the screen already. */
function useNotice(
  known: boolean,
  notice: Notice | undefined,
  what: "step" | "check",
  title: string,
  onOpen: () => void,
) {
  const open = useRef(onOpen);
  open.current = onOpen;
  const key = noticeKey(notice);
  const announced = useRef<string>(undefined);
  useEffect(() => {
    if (!known) return;
    const first = announced.current === undefined;
    if (announced.current === key) return;
    announced.current = key;
    if (!first && notice) notify(noticeText(notice, what), title, () => open.current());
  }, [known, key, notice, what, title]);
}
