import { useQuery } from "@tanstack/react-query";
import { Archive, Plus } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { problemText } from "../../api/errors";
import { type Project, projectsQuery } from "../../api/projects";
import { useBadge } from "../../attention/badge";
import { CompactCreditsButton, CreditsButton } from "../../credits/button";
import { keptPart, lazyPart, loadAhead } from "../../lib/lazy-part";
import { useKeptPart } from "../../lib/use-kept-part";
import { Shell } from "../../shell/shell";
import { userActions } from "../../shell/user-menu";
import { Button } from "../../ui/button";
import { Pill } from "../../ui/pill";
import { Empty, Skeleton } from "../../ui/states";
import { arranged, asOrder, type Order } from "./arrange";
import { Begin } from "./begin";
import { MissingProject } from "./missing-project";
import { PaidBanner } from "./paid-banner";
import { ProjectCard } from "./project-card";
import { projectActions } from "./project-menu";
import { statusOf } from "./project-status";
import { Toolbar } from "./toolbar";
import { useDialogOfAddress } from "./use-dialog-of-address";

const FromRepository = lazy(lazyPart(() => import("./from-repository")));
const createForm = keptPart(lazyPart(() => import("./create")));

/** How long the list is left alone before the code of its menus and dialogs is loaded, in milliseconds. */
const AHEAD_MS = 1_000;

/** The initial fields of a new project. */
type Wish = { name?: string; description?: string };

export function Component() {
  const projects = useQuery(projectsQuery());
  const [creating, setCreating] = useState<Wish>();
  const create = () => setCreating({});
  const form = useKeptPart(createForm, creating !== undefined);
  const [importing, setImporting] = useState(false);
  useDialogOfAddress({ project: create, repository: () => setImporting(true) });
  // Kept outside the dialog, so that opening it again does not create a second project.
  const [made, setMade] = useState<Project>();
  useAhead(projects.data !== undefined);
  const title = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const catchFocus = () => {
    if (document.activeElement === document.body) title.current?.focus();
  };
  const showWaiting = () => {
    const first = list.current?.querySelector<HTMLElement>("[data-waits]");
    if (first) first.focus();
    else setSearch("");
  };
  const { search, order, archived, setSearch, setOrder, setArchived } = useArrangement();
  const away = (projects.data ?? []).filter((project) => project.archived).length;
  const listed = (projects.data ?? []).filter((project) => archived || !project.archived);
  const shown = arranged(listed, search, order);
  const waiting = (projects.data ?? []).filter((project) => statusOf(project).waits).length;
  useBadge(waiting > 0 ? "waiting" : undefined);
  const many = projects.data !== undefined && projects.data.length > 1;
  return (
    <Shell
      bar={
        <div className="flex justify-end gap-2">
          <CompactCreditsButton />
          <CreateButton onClick={create} small />
        </div>
      }
      rail={
        <>
          <p className="label mb-2">Quick Actions</p>
          <div className="flex flex-col gap-2">
            <CreateButton onClick={create} />
            <CreditsButton />
          </div>
        </>
      }
    >
      <title>{`${waiting > 0 ? `(${waiting}) ` : ""}My Projects · Groundcrew`}</title>
      <div className="mx-auto max-w-5xl px-6.5 py-6 max-narrow:px-4">
        {/* The button that closed it is gone: the keyboard continues from the page's title. */}
        <PaidBanner onClose={() => title.current?.focus()} />
        <MissingProject onClose={() => title.current?.focus()} />
        <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
          <h1 ref={title} tabIndex={-1} className="w-fit rounded-control text-title">
            My Projects
          </h1>
          {waiting > 0 && (
            <button type="button" className="mr-auto min-h-8 rounded-full" onClick={showWaiting}>
              <Pill tone="signal">{waiting === 1 ? "1 waits for you" : `${waiting} wait for you`}</Pill>
            </button>
          )}
          {many && <Toolbar search={search} order={order} onSearch={setSearch} onOrder={setOrder} />}
        </div>
        {projects.isError && (
          <div
            role="alert"
            className="mb-5 flex items-center justify-between gap-3 rounded-box bg-bad-wash px-4 py-2.5 text-bad text-note"
          >
            {problemText(projects.error)}
            <Button size="small" onClick={() => void projects.refetch()}>
              Try again
            </Button>
          </div>
        )}
        {projects.isPending && <Loading />}
        {projects.data?.length === 0 && (
          <div className="flex rounded-card border border-line border-dashed">
            <Empty
              title="No projects yet"
              action={
                <Button kind="signal" onClick={create}>
                  Create Project
                </Button>
              }
            >
              Create your first project to get started with DevOps automation.
            </Empty>
          </div>
        )}
        {many && shown.length === 0 && search !== "" && (
          <Empty
            title="No project matches"
            action={<Button onClick={() => setSearch("")}>Clear the search</Button>}
          >
            Search looks at names and descriptions
            {away > 0 && !archived && " of projects that are not archived"}.
          </Empty>
        )}
        {away > 0 && listed.length === 0 && search === "" && (
          <Empty
            title={away === 1 ? "Your project is archived" : "All your projects are archived"}
            action={
              <Button kind="signal" onClick={create}>
                Create Project
              </Button>
            }
          >
            Show them to continue one, or create a new one.
          </Empty>
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
            onChoose={({ name, wish }) => setCreating({ name, description: wish })}
            onRepository={() => setImporting(true)}
          />
        )}
      </div>
      {creating && form && (
        <form.CreateProject
          {...creating}
          onRepository={() => {
            setCreating(undefined);
            setImporting(true);
          }}
          onClose={() => setCreating(undefined)}
        />
      )}
      <Suspense fallback={null}>
        {importing && <FromRepository made={made} onMade={setMade} onClose={() => setImporting(false)} />}
      </Suspense>
    </Shell>
  );
}

/** Loads the code of the list's menus and dialogs once the list is there, so that none is waited for, even offline. */
function useAhead(isListed: boolean) {
  useEffect(() => {
    if (!isListed) return;
    const timer = setTimeout(() => [projectActions, createForm, userActions].forEach(loadAhead), AHEAD_MS);
    return () => clearTimeout(timer);
  }, [isListed]);
}

/** The search and the order, kept in the address: a reload, and Back from a project, restore them. */
function useArrangement() {
  const [params, setParams] = useSearchParams();
  // The address follows a moment later; the field shows typed text at once.
  const [search, setSearch] = useState(params.get("search") ?? "");
  const set = (name: string, value: string) =>
    setParams(
      (params) => {
        if (value === "") params.delete(name);
        else params.set(name, value);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    search,
    order: asOrder(params.get("sort")),
    archived: params.get("archived") === "1",
    setArchived: (archived: boolean) => set("archived", archived ? "1" : ""),
    setSearch: (search: string) => {
      setSearch(search);
      set("search", search);
    },
    setOrder: (order: Order) => set("sort", order === "updated" ? "" : order),
  };
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
