import { AGENT_NAMES } from "../api/texts";
import type { Track } from "./track";

/** Says that a step's command is being prepared, and by which agent. */
export const preparingText = ({ agent }: Pick<Track, "agent">): string =>
  `The ${AGENT_NAMES[agent].toLowerCase()} is writing the command...`;
