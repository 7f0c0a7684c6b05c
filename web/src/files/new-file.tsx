import { type FormEvent, useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/states";
import { nameProblem } from "./rows";

interface NewFileProps {
  /** The present folder, with a slash at its end; empty for the workspace itself. */
  folder: string;
  onCreate: (path: string) => void;
  onClose: () => void;
}

/** Asks for a new file's name; the file is created when it is first saved. */
export function NewFile({ folder, onCreate, onClose }: NewFileProps) {
  const [path, setPath] = useState(folder);
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = nameProblem(path);
    if (wrong) setProblem(wrong);
    else onCreate(path);
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
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setPath(event.target.value);
            setProblem(undefined);
          }}
          className="min-h-9 rounded-control border border-line-strong bg-raised px-3 font-mono text-small"
        />
        {problem && <Problem>{problem}</Problem>}
        <footer className="flex justify-end gap-2.5">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="signal" type="submit">
            Create
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
