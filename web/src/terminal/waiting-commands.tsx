import { X } from "lucide-react";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";

interface WaitingCommandsProps {
  commands: readonly string[];
  onInsert: (command: string) => void;
  onDismiss: (command: string) => void;
}

/**
 * Commands of agents that were not typed, because the shell was not at its empty prompt, or there was no shell.
 *
 * The announcement is a status and has no `aria-live`: what has it stays open to screen readers while a dialog is
 * shown, and with it all that appears around it.
 */
export function WaitingCommands({ commands, onInsert, onDismiss }: WaitingCommandsProps) {
  return (
    <section aria-label="Commands for this terminal">
      {commands.map((command) => (
        <div
          key={command}
          className="flex animate-appear flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-b bg-surface px-3 py-2"
        >
          <p role="status" className="text-ink-2 text-note">
            The terminal is in use. Insert this command when your prompt is free.
          </p>
          <code className="min-w-0 flex-1 wrap-anywhere font-mono text-small">{command}</code>
          <Button size="small" onClick={() => onInsert(command)}>
            Insert
          </Button>
          <CopyButton what="the command" text={command} />
          <button
            type="button"
            aria-label="Dismiss the command"
            onClick={() => onDismiss(command)}
            className="grid size-7 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
          >
            <X size={15} aria-hidden />
          </button>
        </div>
      ))}
    </section>
  );
}
