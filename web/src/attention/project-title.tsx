import { useQuery } from "@tanstack/react-query";
import { projectStateQuery } from "../api/project-states";
import { currentStage } from "../stages/stages";
import { NoticeTitle } from "./notice-title";

interface ProjectTitleProps {
  projectId: number;
  text: string;
}

/** The tab's title on a project's page outside its stages; it has the owner's notice until the project is built. */
export function ProjectTitle({ projectId, text }: ProjectTitleProps) {
  const state = useQuery(projectStateQuery(projectId)).data;
  const built = state?.stages.every((stage) => stage.is_completed) ?? true;
  const at = state && !built && currentStage(state)?.stage_id;
  if (at !== "execution" && at !== "validation") return <title>{text}</title>;
  return <NoticeTitle projectId={projectId} at={at} title={text} />;
}
