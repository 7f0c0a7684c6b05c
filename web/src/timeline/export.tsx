import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { type Change, pastChangeQuery } from "../api/changes";
import { versionQuery } from "../api/documents";
import { problemText } from "../api/errors";
import { progressQuery } from "../api/execution";
import { checksQuery } from "../api/validation";
import { saveAs } from "../lib/save";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";
import { Toggle } from "../ui/toggle";
import type { Day, Versions } from "./events";
import { timelinePage } from "./html";
import type { Plans } from "./output";
import { fileName, timelineRecord } from "./record";

interface ExportProps {
  project: { id: number; name: string };
  /** The data on the page; undefined until it is known. */
  days: Day[] | undefined;
  versions: Versions;
  changes: readonly Change[];
}

const FORMS = {
  html: { label: "HTML", type: "text/html" },
  json: { label: "JSON", type: "application/json" },
} as const;

type Form = keyof typeof FORMS;

/** Saves the timeline and the present documents as one file. */
export function Export({ project, days, versions, changes }: ExportProps) {
  const queries = useQueryClient();
  const [withOutput, setWithOutput] = useState(true);

  async function plans(): Promise<Plans> {
    const earlier = changes.filter(({ is_current, status }) => !is_current && status !== "abandoned");
    const [execution, validation, past] = await Promise.all([
      queries.fetchQuery(progressQuery(project.id)),
      queries.fetchQuery(checksQuery(project.id)),
      Promise.all(earlier.map(({ number }) => queries.fetchQuery(pastChangeQuery(project.id, number)))),
    ]);
    return { execution, validation, past };
  }

  async function documents() {
    const present = versions.flatMap(({ document, versions }) =>
      versions.filter((version) => version.present).map(({ number }) => ({ document, number })),
    );
    return Promise.all(
      present.map(async ({ document, number }) => ({
        document,
        version: number,
        parts: (await queries.fetchQuery(versionQuery(project.id, document, number))).parts,
      })),
    );
  }

  const file = useMutation({
    mutationFn: async (form: Form) => {
      const [printed, written] = await Promise.all([withOutput ? plans() : undefined, documents()]);
      const record = timelineRecord({
        project,
        now: new Date().toISOString(),
        days: days ?? [],
        documents: written,
        plans: printed,
      });
      const text = form === "html" ? timelinePage(record) : JSON.stringify(record, null, 2);
      saveAs(fileName(project, form), new Blob([text], { type: FORMS[form].type }));
    },
    onError: (error) => console.error("The timeline could not be exported", error),
  });
  const none = !days || days.length === 0;
  return (
    <div className="flex flex-col items-end gap-2 max-narrow:items-start">
      <fieldset
        aria-label="Export the timeline"
        className="flex flex-wrap items-center gap-x-3 gap-y-2 print:hidden"
      >
        <Toggle label="Include output" on={withOutput} onChange={setWithOutput} />
        {(["html", "json"] as const).map((form) => (
          <Button
            key={form}
            size="small"
            disabled={none}
            pending={file.isPending}
            onClick={() => file.mutate(form)}
          >
            <Download size={14} aria-hidden />
            {file.isPending && file.variables === form ? "Preparing..." : FORMS[form].label}
          </Button>
        ))}
      </fieldset>
      {file.isError && <Problem>The timeline could not be exported. {problemText(file.error)}</Problem>}
    </div>
  );
}
