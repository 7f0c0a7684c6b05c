import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { branchesQuery, type GitHubRepository } from "../../api/repository";
import { NameSelect } from "../../repository/repositories";
import { FIELD } from "./project-form";

interface BranchFieldProps {
  repository: GitHubRepository;
  value: string;
  onChoose: (branch: string) => void;
}

/**
 * Chooses a branch of the repository from a list. If GitHub lists too many, or none because it fails, the user can also
 * type a name.
 */
export function BranchField({ repository, value, onChoose }: BranchFieldProps) {
  const [id, listId] = [useId(), useId()];
  const branches = useQuery(branchesQuery(repository.full_name));
  const names = branches.data?.names ?? [];
  const typed = branches.isError || branches.data?.more === true;
  const known = names.includes(value) ? names : [value, ...names];
  return (
    <label htmlFor={id} className="flex flex-col gap-1.5 text-note">
      <span className="font-[550]">Branch</span>
      {typed ? (
        <>
          <input
            id={id}
            required
            list={listId}
            value={value}
            onChange={(event) => onChoose(event.target.value)}
            className={FIELD}
          />
          <datalist id={listId}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      ) : (
        <NameSelect id={id} names={known} value={value} onChoose={onChoose} />
      )}
      {branches.data?.more && (
        <span className="text-ink-2">
          GitHub has more branches than are listed here. Type the name of another.
        </span>
      )}
      {branches.isError && (
        <span className="text-ink-2">GitHub did not list the branches. Type the name of one.</span>
      )}
    </label>
  );
}
