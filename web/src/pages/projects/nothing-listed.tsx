import { Button } from "../../ui/button";
import { Empty } from "../../ui/states";

interface NothingListedProps {
  /** How many projects there are, archived ones included. */
  total: number;
  /** How many of them are archived. */
  away: number;
  /** Whether the archived ones are shown, too. */
  archived: boolean;
  search: string;
  onClearSearch: () => void;
  onCreate: () => void;
}

/** Why the list has no projects to show, and what its reader can do about it. */
export function NothingListed({
  total,
  away,
  archived,
  search,
  onClearSearch,
  onCreate,
}: NothingListedProps) {
  const create = (
    <Button kind="signal" onClick={onCreate}>
      Create Project
    </Button>
  );
  if (total === 0)
    return (
      <div className="flex rounded-card border border-line border-dashed">
        <Empty title="No projects yet" action={create}>
          Create your first project to get started with DevOps automation.
        </Empty>
      </div>
    );
  if (search !== "")
    return (
      <Empty title="No project matches" action={<Button onClick={onClearSearch}>Clear the search</Button>}>
        Search looks at names and descriptions{away > 0 && !archived && " of projects that are not archived"}.
      </Empty>
    );
  return (
    <Empty title={away === 1 ? "Your project is archived" : "All your projects are archived"} action={create}>
      Show them to continue one, or create a new one.
    </Empty>
  );
}
