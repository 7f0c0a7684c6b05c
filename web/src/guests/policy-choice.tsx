import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { problemText } from "../api/errors";
import { type Admission, choosePolicy, guestsKey } from "../api/guests";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";

const CHOICES: { policy: Admission; title: string; text: string }[] = [
  {
    policy: "refused",
    title: "Only people you allow",
    text: "Groundcrew refuses everyone else and lists them below. When you save this, it signs out the guests you have not allowed.",
  },
  {
    policy: "allowed",
    title: "Everyone who contributes to one of your repositories",
    text: "They sign in without asking you. You can still refuse a person below.",
  },
];

/** Which guests may sign in without a decision about each of them. */
export function PolicyChoice({ policy }: { policy: Admission }) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(policy);
  const save = useMutation({
    mutationFn: choosePolicy,
    onSuccess: (guests) => queries.setQueryData(guestsKey, guests),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== policy && !save.isPending) save.mutate(chosen);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2">
          <h2 className="text-lead">Who may sign in for your account</h2>
        </legend>
        {CHOICES.map((choice) => (
          <label
            key={choice.policy}
            className="flex cursor-pointer items-start gap-3 rounded-box border border-line-strong bg-raised px-4 py-3 has-checked:border-ink-3"
          >
            <input
              type="radio"
              name="policy"
              value={choice.policy}
              checked={chosen === choice.policy}
              onChange={() => setChosen(choice.policy)}
              className="mt-1 shrink-0 accent-ink"
            />
            <span>
              <span className="block font-[560]">{choice.title}</span>
              <span className="block text-ink-2 text-note">{choice.text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {save.isError && <Problem>{problemText(save.error)}</Problem>}
      <div>
        <Button kind="signal" type="submit" disabled={chosen === policy} pending={save.isPending}>
          {save.isPending ? "Saving..." : "Save"}
        </Button>
      </div>
    </form>
  );
}
