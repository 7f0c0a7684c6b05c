import { problemText } from "../api/errors";
import { Problem } from "../ui/states";

/** Says that GitHub was asked again in vain; what it said before stays on the page. */
export function CheckProblem({ error, checking }: { error: Error | null; checking: boolean }) {
  if (!error || checking) return null;
  return <Problem>GitHub could not be reached. {problemText(error)}</Problem>;
}
