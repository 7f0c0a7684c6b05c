import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/states";
import { nameProblem } from "./rows";

interface NewFileProps {
  /** The present folder, with a slash at its end; empty for the workspace itself. */
  folder: string;
  isTaken: (path: string) => Promise<boolean>;
  onCreate: (path: string) => void;
  /** Opens the file: the new one, or the one that has this name already. */
  onOpen: (path: string) => void;
  onClose: () => void;
}

/** Asks for a new file's name; the file is created when it is first saved. */
export function NewFile({ folder, isTaken, onCreate, onOpen, onClose }: NewFileProps) {
  const [path, setPath] = useState(folder);
  const [problem, setProblem] = useState<string>();
  const look = useMutation({
    mutationFn: isTaken,
    onSuccess: (taken, path) => {
      if (taken) return;
      onCreate(path);
      show();
    },
  });
  const show = () => {
    onClose();
    onOpen(path);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = nameProblem(path);
    if (wrong) setProblem(wrong);
    else if (!look.isPending) look.mutate(path);
  };
  return (
    <Dialog
      title="New file"
      description="Its path in the workspace, such as terraform/outputs.tf."
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex flex-col gap-3 px-5 pt-3 pb-4">
        <input
          data-first
          value={path}
          aria-label="Path of the new file"
          readOnly={look.isPending}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setPath(event.target.value);
            setProblem(undefined);
            look.reset();
          }}
          className="min-h-9 rounded-control border border-line-strong bg-raised px-3 font-mono text-small"
        />
        {problem && <Problem>{problem}</Problem>}
        {look.data && <Problem>There is already a file with this name.</Problem>}
        <footer className="flex justify-end gap-2.5">
          <Button onClick={onClose}>Cancel</Button>
          {look.data ? (
            <Button kind="signal" onClick={show}>
              Open it
            </Button>
          ) : (
            <Button kind="signal" type="submit" pending={look.isPending}>
              {look.isPending ? "Creating..." : "Create"}
            </Button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}
