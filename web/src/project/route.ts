import { useLocation, useParams } from "react-router";
import type { Project } from "../api/projects";

/** The project list's data for the page of a project, so that it need not wait for the project to load. */
export interface PassedProject {
  project: Project;
  skipLoading: true;
}

/** The project in the address, and the object that the navigation passed, if any. */
export function useProjectRoute(): { projectId: number; passed: Project | undefined } {
  const projectId = Number(useParams().projectId);
  const state: unknown = useLocation().state;
  return { projectId, passed: isPassed(state) && state.project.id === projectId ? state.project : undefined };
}

function isPassed(state: unknown): state is PassedProject {
  return typeof state === "object" && state !== null && "skipLoading" in state && "project" in state;
}
