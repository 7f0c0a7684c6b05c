import { useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Copy, Pencil, Trash2 } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useRef, useState } from "react";
import { problemText } from "../../api/errors";
import { changeProject, type ListedProject } from "../../api/projects";
import { DeleteDialog } from "../../audit/delete-project";
import { useOnce } from "../../lib/use-once";
import { Alert } from "../../ui/alert";
import { MENU, Menu, MenuItem } from "../../ui/menu";
import type { Pressed } from "../../ui/menu-button";
import { DuplicateProject, RenameProject } from "./edit";

type Doing = "rename" | "duplicate" | "delete";

interface ProjectActionsProps {
  first: Pressed;
  project: ListedProject;
  /** Called when the card leaves the list together with the focus. */
  onGone: () => void;
}

/** The actions on a project in the list, besides opening it. */
export function ProjectActions({ first, project, onGone }: ProjectActionsProps) {
  const queries = useQueryClient();
  const trigger = useRef<HTMLButtonElement>(null);
  const [doing, setDoing] = useState<Doing>();
  // A dialog opens once the menu has returned the focus to its button, so that the dialog returns it there, too.
  const chosen = useRef<Doing>(undefined);
  const choose = (what: Doing) => () => {
    chosen.current = what;
  };
  const archive = useOnce({
    mutationFn: (archived: boolean) => changeProject(project.id, { archived }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["projects"], exact: true });
      onGone();
    },
  });
  const done = () => setDoing(undefined);
  return (
    <>
      <Menu first={first} trigger={trigger}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className={`w-48 ${MENU}`}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            trigger.current?.focus();
            setDoing(chosen.current);
            chosen.current = undefined;
          }}
        >
          <MenuItem icon={<Pencil size={15} aria-hidden />} onSelect={choose("rename")}>
            Rename
          </MenuItem>
          <MenuItem icon={<Copy size={15} aria-hidden />} onSelect={choose("duplicate")}>
            Duplicate
          </MenuItem>
          <MenuItem
            icon={
              project.archived ? <ArchiveRestore size={15} aria-hidden /> : <Archive size={15} aria-hidden />
            }
            disabled={archive.isPending}
            onSelect={() => archive.mutate(!project.archived)}
          >
            {project.archived ? "Take back" : "Archive"}
          </MenuItem>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <MenuItem icon={<Trash2 size={15} aria-hidden />} onSelect={choose("delete")}>
            Delete
          </MenuItem>
        </DropdownMenu.Content>
      </Menu>
      {doing === "rename" && <RenameProject project={project} onClose={done} />}
      {doing === "duplicate" && <DuplicateProject project={project} onClose={done} />}
      {doing === "delete" && <DeleteDialog project={project} onClose={done} />}
      {archive.isError && (
        <Alert
          title="The project could not be changed"
          text={problemText(archive.error)}
          onClose={archive.reset}
        />
      )}
    </>
  );
}
