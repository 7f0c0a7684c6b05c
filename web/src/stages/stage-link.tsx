import type { ComponentProps, MouseEvent } from "react";
import { Link } from "react-router";
import { paths } from "../lib/paths";
import { isPlainClick } from "../lib/plain-click";
import { buttonClass } from "../ui/button";
import type { StageId } from "./stages";
import { useGoToStage } from "./use-stages";

interface StageLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick"> {
  projectId: number;
  stage: StageId;
  /** Shows the stage in this tab; the browser itself opens it in another. */
  onGo: () => void;
}

/** A link to a stage of the project. */
export function StageLink({ projectId, stage, onGo, ...rest }: StageLinkProps) {
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onGo();
  };
  return <Link to={paths.project(projectId, stage)} onClick={follow} {...rest} />;
}

interface ToStageProps {
  projectId: number;
  /** The stage that is shown. */
  from: StageId;
  to: StageId;
  children: string;
}

/** A link to another stage that looks like a button. */
export function ToStage({ projectId, from, to, children }: ToStageProps) {
  const go = useGoToStage(projectId, from);
  return (
    <StageLink projectId={projectId} stage={to} onGo={() => go(to)} className={buttonClass("plain", "small")}>
      {children}
    </StageLink>
  );
}
