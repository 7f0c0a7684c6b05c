import { Check, TriangleAlert } from "lucide-react";
import { Checkbox } from "radix-ui";
import { useId, useState } from "react";
import { useNavigate } from "react-router";
import { paths } from "../lib/paths";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";

/**
 * Explains what the helper can do before the user can start it; a user who does not accept returns to the project home.
 */
export function Warning({ projectId, onAccept }: { projectId: number; onAccept: () => void }) {
  const [understood, setUnderstood] = useState(false);
  const navigate = useNavigate();
  const leave = () => void navigate(paths.home(projectId));
  const id = useId();
  return (
    <Dialog
      title="Before you use the DevOps Helper"
      description="The helper can execute commands in both your sandbox and your VPS environments."
      onClose={leave}
    >
      <div className="flex flex-col gap-3 px-5 pt-3 text-note">
        <p className="flex gap-2.5 rounded-control border border-line bg-sunken px-3 py-2.5">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
          <span>
            Commands on a server can change or delete what runs there. Commands that only read run without
            asking; every other one is shown to you in full and waits for your approval.
          </span>
        </p>
        <div className="flex items-start gap-2.5">
          <Checkbox.Root
            id={id}
            data-first
            checked={understood}
            onCheckedChange={(checked) => setUnderstood(checked === true)}
            className="relative mt-0.5 grid size-4.5 shrink-0 after:absolute after:-inset-1.5 place-items-center rounded-[5px] border border-line-strong bg-raised data-[state=checked]:border-ink data-[state=checked]:bg-ink data-[state=checked]:text-surface"
          >
            <Checkbox.Indicator>
              <Check size={13} strokeWidth={3} aria-hidden />
            </Checkbox.Indicator>
          </Checkbox.Root>
          <label htmlFor={id} className="cursor-pointer">
            I understand that the DevOps Helper can execute commands in my sandbox and on my servers.
          </label>
        </div>
      </div>
      <footer className="flex justify-end gap-2.5 px-5 py-4">
        <Button onClick={leave}>Cancel</Button>
        <Button kind="signal" disabled={!understood} onClick={onAccept}>
          Accept
        </Button>
      </footer>
    </Dialog>
  );
}
