import { type FormEvent, type ReactNode, useState } from "react";
import { problemText } from "../../api/errors";
import { MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS } from "../../api/limits";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { useLimit } from "../../ui/limit";
import { Problem } from "../../ui/states";

export const FIELD =
  "w-full rounded-control border border-line-strong bg-raised px-3 py-2 placeholder:text-ink-3 read-only:text-ink-3";

interface ProjectFormProps {
  title: string;
  name: string;
  description: string;
  /** The button's label, and its label while it is busy. */
  action: [string, string];
  pending: boolean;
  error: unknown;
  /** Called with what was typed. */
  onTyped?: (name: string, description: string) => void;
  onSubmit: (name: string, description: string) => void;
  /** Called by Cancel, if it does more than close. */
  onCancel?: () => void;
  onClose: () => void;
  /** Further information. */
  children?: ReactNode;
  /** An alternative, above the buttons. */
  aside?: ReactNode;
}

/** The name and the description of a project, for creating, duplicating or changing it. */
export function ProjectForm({
  title,
  action,
  pending,
  error,
  onTyped,
  onSubmit,
  onCancel,
  onClose,
  children,
  aside,
  ...first
}: ProjectFormProps) {
  const [name, setName] = useState(first.name);
  const [description, setDescription] = useState(first.description);
  const nameLimit = useLimit(name.trim(), MAX_NAME_CHARS);
  const descriptionLimit = useLimit(description.trim(), MAX_DESCRIPTION_CHARS);
  const unfit = name.trim() === "" || nameLimit.isOver || descriptionLimit.isOver;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!unfit && !pending) onSubmit(name.trim(), description.trim());
  };
  return (
    <Dialog title={title} onClose={() => !pending && onClose()}>
      <form onSubmit={submit} className="flex flex-col gap-4 px-5 pt-3 pb-5">
        <label className="flex flex-col gap-1.5 text-note">
          <span className="font-[550]">Project Name</span>
          <input
            data-first
            dir="auto"
            required
            {...nameLimit.field}
            value={name}
            readOnly={pending}
            onChange={(event) => {
              setName(event.target.value);
              onTyped?.(event.target.value, description);
            }}
            className={FIELD}
          />
          {nameLimit.note}
        </label>
        <label className="flex flex-col gap-1.5 text-note">
          <span>
            <span className="font-[550]">Description</span> <span className="text-ink-3">(Optional)</span>
          </span>
          <textarea
            rows={3}
            dir="auto"
            {...descriptionLimit.field}
            value={description}
            readOnly={pending}
            onChange={(event) => {
              setDescription(event.target.value);
              onTyped?.(name, event.target.value);
            }}
            className={`${FIELD} resize-y`}
          />
          {descriptionLimit.note}
        </label>
        {children && <p className="text-ink-2 text-small">{children}</p>}
        {error != null && <Problem>{problemText(error)}</Problem>}
        <div className="mt-1 flex flex-wrap items-center justify-end gap-2.5">
          {aside && <span className="-ml-2 mr-auto max-[480px]:w-full">{aside}</span>}
          <Button pending={pending} onClick={onCancel ?? onClose}>
            Cancel
          </Button>
          <Button kind="signal" type="submit" disabled={unfit} pending={pending}>
            {pending ? action[1] : action[0]}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
