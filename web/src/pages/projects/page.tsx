import { useQuery } from "@tanstack/react-query";
import { Archive, Plus } from "lucide-react";
import { useEffect, useRef } from "react";
import { problemText } from "../../api/errors";
import { projectsQuery } from "../../api/projects";
import { useBadge } from "../../attention/badge";
import { CompactCreditsButton, CreditsButton } from "../../credits/button";
import { loadAhead } from "../../lib/lazy-part";
import { Shell } from "../../shell/shell";
import { userActions } from "../../shell/user-menu";
import { Button } from "../../ui/button";
import { Pill } from "../../ui/pill";
import { Skeleton } from "../../ui/states";
import { arranged } from "./arrange";
import { Begin } from "./begin";
import { CreationDialogs, createForm, useCreation } from "./creation";
import { MissingProject } from "./missing-project";
import { NothingListed } from "./nothing-listed";
import { PaidBanner } from "./paid-banner";
import { ProjectCard } from "./project-card";
import { projectActions } from "./project-menu";
import { statusOf } from "./project-status";
import { Toolbar } from "./toolbar";
import { useArrangement } from "./use-arrangement";

/** How long the list is left alone before the code of its menus and dialogs is loaded, in milliseconds. */
const AHEAD_MS = 1_000;

export function Component() {
  const projects = useQuery(projectsQuery());
  const creation = useCreation();
  useAhead(projects.data !== undefined);
  const title = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { search, order, archived, setSearch, setOrder, setArchived } = useArrangement();
  const all = projects.data ?? [];
  const away = all.filter((project) => project.archived).length;
  const listed = all.filter((project) => archived || !project.archived);
  const shown = arranged(listed, search, order);
  const waiting = all.filter((project) => statusOf(project).waits).length;
  useBadge(waiting > 0 ? "waiting" : undefined);
  // The button that had the focus may be gone: the keyboard continues from the page's title.
  const focusTitle = () => title.current?.focus();
  const catchFocus = () => {
    if (document.activeElement === document.body) focusTitle();
  };
  const showWaiting = () => {
    const first = list.current?.querySelector<HTMLElement>("[data-waits]");
    if (first) first.focus();
    else setSearch("");
  };
  return (
    <Shell {...frame(() => creation.create())}>
      <title>{`${waiting > 0 ? `(${waiting}) ` : ""}My Projects · Groundcrew`}</title>
      <div className="mx-auto max-w-5xl px-6.5 py-6 max-narrow:px-4">
        <PaidBanner onClose={focusTitle} />
        <MissingProject onClose={focusTitle} />
        <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
          <h1 ref={title} tabIndex={-1} className="w-fit rounded-control text-title">
            My Projects
          </h1>
          {waiting > 0 && (
            <button type="button" className="mr-auto min-h-8 rounded-full" onClick={showWaiting}>
              <Pill tone="signal">{waiting === 1 ? "1 waits for you" : `${waiting} wait for you`}</Pill>
            </button>
          )}
          {all.length > 1 && (
            <Toolbar search={search} order={order} onSearch={setSearch} onOrder={setOrder} />
          )}
        </div>
        {projects.isError && <NotRead error={projects.error} retry={() => void projects.refetch()} />}
        {projects.isPending && <Loading />}
        {projects.data && shown.length === 0 && (
          <NothingListed
            total={all.length}
            {...{ away, archived, search }}
            onClearSearch={() => setSearch("")}
            onCreate={() => creation.create()}
          />
        )}
        {shown.length > 0 && (
          <ul ref={list} className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,280px),1fr))] gap-4">
            {shown.map((project) => (
              <ProjectCard key={project.id} project={project} onGone={catchFocus} />
            ))}
          </ul>
        )}
        {away > 0 && (
          <Button
            kind="quiet"
            className="mt-4"
            aria-pressed={archived}
            onClick={() => setArchived(!archived)}
          >
            <Archive size={15} aria-hidden /> {archived ? "Hide archived" : `Show archived (${away})`}
          </Button>
        )}
        {projects.data && search === "" && (
          <Begin
            first={projects.data.length === 0}
            onChoose={({ name, wish }) => creation.create({ name, description: wish })}
            onRepository={creation.fromRepository}
          />
        )}
      </div>
      <CreationDialogs {...creation} />
    </Shell>
  );
}

/** What the page puts into the frame around it. */
const frame = (create: () => void) => ({
  bar: (
    <div className="flex justify-end gap-2">
      <CompactCreditsButton />
      <CreateButton onClick={create} small />
    </div>
  ),
  rail: (
    <>
      <p className="label mb-2">Quick Actions</p>
      <div className="flex flex-col gap-2">
        <CreateButton onClick={create} />
        <CreditsButton />
      </div>
    </>
  ),
});

/** Loads the code of the list's menus and dialogs once the list is there, so that none is waited for, even offline. */
function useAhead(isListed: boolean) {
  useEffect(() => {
    if (!isListed) return;
    const timer = setTimeout(() => [projectActions, createForm, userActions].forEach(loadAhead), AHEAD_MS);
    return () => clearTimeout(timer);
  }, [isListed]);
}

function CreateButton({ onClick, small }: { onClick: () => void; small?: boolean }) {
  return (
    <Button
      size={small ? "small" : "normal"}
      className={small ? "" : "w-full justify-start"}
      onClick={onClick}
    >
      <Plus size={16} aria-hidden />{" "}
      {small ? (
        <span>
          Create<span className="max-[480px]:sr-only"> New Project</span>
        </span>
      ) : (
        "Create New Project"
      )}
    </Button>
  );
}

function NotRead({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <div
      role="alert"
      className="mb-5 flex items-center justify-between gap-3 rounded-box bg-bad-wash px-4 py-2.5 text-bad text-note"
    >
      {problemText(error)}
      <Button size="small" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

function Loading() {
  return (
    <div role="status" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,280px),1fr))] gap-4">
      <p className="col-span-full text-ink-2 text-note">Loading projects...</p>
      {[0, 1, 2].map((card) => (
        <div
          key={card}
          className="flex h-36 flex-col gap-2.5 rounded-card border border-line bg-surface p-4.5"
        >
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-3 w-4/5" />
          <Skeleton className="mt-auto h-3 w-3/5" />
        </div>
      ))}
    </div>
  );
}
