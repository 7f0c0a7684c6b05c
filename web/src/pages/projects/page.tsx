import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { problemText } from "../../api/errors";
import { projectsQuery } from "../../api/projects";
import { CompactCreditsButton, CreditsButton } from "../../credits/button";
import { Shell } from "../../shell/shell";
import { Button } from "../../ui/button";
import { Empty, Skeleton } from "../../ui/states";
import { CreateProject } from "./create";
import { PaidBanner } from "./paid-banner";
import { ProjectCard } from "./project-card";

export function Component() {
  const projects = useQuery(projectsQuery());
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  const title = useRef<HTMLHeadingElement>(null);
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
      <title>My Projects · Groundcrew</title>
      <div className="mx-auto max-w-5xl px-6.5 py-6 max-narrow:px-4">
        {/* The button that closed it is gone: the keyboard goes on from the page's title. */}
        <PaidBanner onClose={() => title.current?.focus()} />
        <h1 ref={title} tabIndex={-1} className="mb-5 w-fit rounded-control text-title">
          My Projects
        </h1>
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
        {projects.data && projects.data.length > 0 && (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,280px),1fr))] gap-4">
            {projects.data.map((project) => (
              <ProjectCard key={project.id} project={project} />
            ))}
          </ul>
        )}
      </div>
      {creating && <CreateProject onClose={() => setCreating(false)} />}
    </Shell>
  );
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
