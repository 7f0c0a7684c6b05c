import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { commandStateQuery, type OpenCommand, openCommandsQuery } from "../api/devops-helper";
import { CommandCard } from "../chat/command-card";

interface OpenCommandsProps {
  projectId: number;
  /** The commands that the conversation itself shows. */
  shown: ReadonlySet<number>;
}

/**
 * Commands that were already waiting or running when the page was loaded: they can be approved, watched and ended here.
 */
export function OpenCommands({ projectId, shown }: OpenCommandsProps) {
  const open = useQuery(openCommandsQuery(projectId));
  const known = useKnown(open.data).filter(({ number }) => !shown.has(number));
  if (known.length === 0) return null;
  return (
    <section aria-label="Earlier commands">
      <p className="label">Started before this page was loaded</p>
      {known.map((command) => (
        <Restored
          key={command.number}
          projectId={projectId}
          command={command}
          open={open.data?.find(({ number }) => number === command.number)}
        />
      ))}
      <p className="text-ink-2 text-small">
        The helper no longer follows these. Ask it about what they printed.
      </p>
    </section>
  );
}

/** Every command that has been open since the page was loaded, oldest first; completed ones stay. */
function useKnown(open: OpenCommand[] | undefined): OpenCommand[] {
  const [known, setKnown] = useState<Readonly<Record<number, OpenCommand>>>({});
  useEffect(() => {
    if (!open || open.length === 0) return;
    setKnown((known) => ({
      ...known,
      ...Object.fromEntries(open.map((command) => [command.number, command])),
    }));
  }, [open]);
  return Object.values(known).sort((a, b) => a.number - b.number);
}

/** A command that no conversation shows: it waits, runs and ends here. */
export function FollowedCommand({ projectId, command }: { projectId: number; command: OpenCommand }) {
  const open = useQuery(openCommandsQuery(projectId));
  return (
    <Restored
      projectId={projectId}
      command={command}
      open={open.data?.find(({ number }) => number === command.number)}
    />
  );
}

interface RestoredProps {
  projectId: number;
  command: OpenCommand;
  /** The same command in the server's current list; undefined once it has ended. */
  open: OpenCommand | undefined;
}

function Restored({ projectId, command, open }: RestoredProps) {
  const state = useQuery(commandStateQuery(projectId, command.number, open));
  const status = open?.status ?? state.data?.status ?? command.status;
  return (
    <CommandCard
      command={{
        ...command,
        // A command that is listed as running may have been approved earlier, so the page does not say that it ran
        // without approval.
        needs_approval: true,
        status,
        at: 0,
        output: state.data?.output ?? "",
        exitCode: null,
        ended: open === undefined,
      }}
    />
  );
}
