import { useMemo } from "react";
import type { Step } from "../api/execution";
import { shortDigest } from "../lib/text";
import { CheckedByMachines } from "./machines";
import { readScript } from "./script";
import { ScriptView } from "./script-view";

interface RollbackScriptProps {
  rollback: NonNullable<Step["rollback"]>;
  wrap: boolean;
}

/** The rollback of the change that a command belongs to: prepared with the command, and approved with it. */
export function RollbackScript({ rollback, wrap }: RollbackScriptProps) {
  const { script: text, sha256, verdict } = rollback;
  const script = useMemo(() => readScript(text), [text]);
  return (
    <>
      <p className="px-4 pt-2.5 text-note">
        If a step fails, or if you change your mind, this script restores the state before the change. It runs
        only when you ask for it.{" "}
        <span className="font-mono text-ink-2 text-tiny">sha256 {shortDigest(sha256)}</span>
      </p>
      <CheckedByMachines
        step={{ command_sha256: sha256, ...(verdict ? { verdict } : {}) }}
        className="border-line border-b px-4"
      />
      <ScriptView script={script} wrap={wrap} />
    </>
  );
}
