import { AskFirst } from "./ask-first";
import { useBeginChange } from "./use-begin-change";

/** Begins the change that removes everything that was built, with a separate plan and approvals. */
export function TearDown({ projectId }: { projectId: number }) {
  const begin = useBeginChange(projectId);
  return (
    <section
      aria-labelledby="tear-down"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t px-4.5 py-4"
    >
      <div className="min-w-0 max-w-prose">
        <h3 id="tear-down" className="font-[560]">
          Tear down
        </h3>
        <p className="text-ink-2 text-small">
          Removes everything that this project built, by steps that you approve. The project and its history
          stay.
        </p>
      </div>
      <AskFirst
        open="Tear down"
        title="Tear this project down?"
        keep="Keep everything"
        yes={["Begin tearing down", "Beginning...", "danger"]}
        act={{ ...begin, mutate: () => begin.mutate({ wish: "", kind: "tear_down" }) }}
      >
        This begins a change that removes what was built, in order, with all data on it. You see its plan and
        approve each script before anything is removed. What is removed cannot be brought back, and no change
        follows it.
      </AskFirst>
    </section>
  );
}
