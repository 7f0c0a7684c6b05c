import { MoreHorizontal } from "lucide-react";
import type { ListedProject } from "../../api/projects";
import { keptPart, lazyPart } from "../../lib/lazy-part";
import { MenuButton } from "../../ui/menu-button";

export const projectActions = keptPart(lazyPart(() => import("./project-actions")));

interface ProjectMenuProps {
  project: ListedProject;
  /** Called when the card leaves the list together with the focus. */
  onGone: () => void;
}

/** The button of a project's menu in the list. */
export function ProjectMenu({ project, onGone }: ProjectMenuProps) {
  const button = {
    "aria-label": `Actions for ${project.name}`,
    className:
      "absolute right-2.5 bottom-2.5 grid size-8 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink data-[state=open]:bg-sunken",
    children: <MoreHorizontal size={17} aria-hidden />,
  };
  return (
    <MenuButton part={projectActions} button={button}>
      {({ ProjectActions }, first) => <ProjectActions first={first} project={project} onGone={onGone} />}
    </MenuButton>
  );
}
