import { useQueries, useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { sandboxQuery } from "../api/sandbox";
import { type FilesConnection, isProblem } from "../files/connection";
import { useFilesConnection } from "../files/use-files";
import { counted } from "../lib/text";
import { cx } from "../ui/class";
import { Pill, type Tone } from "../ui/pill";
import { Scroll } from "../ui/scroll";
import { difference } from "./diff";
import { CodeView, Counts, DiffView } from "./diff-view";
import { languageOf } from "./language";
import { isInWorkspace, type Script } from "./script";
import { type Content, isWritten, type Writing, writingsOf } from "./writings";

interface WrittenFilesProps {
  projectId: number;
  script: Script;
  /** Identifies the command and attempt: present contents are read once for each. */
  stamp: string;
  wrap: boolean;
}

/** The files that a script writes, each compared with what it holds before, as far as that can be known. */
export function WrittenFiles(props: WrittenFilesProps) {
  const sandbox = useQuery(sandboxQuery(props.projectId));
  return sandbox.data?.container_status === "Running" ? (
    <Compared {...props} />
  ) : (
    <Files {...props} present={unknown} />
  );
}

const unknown = (): Content => ({ is: "unknown" });

function Compared(props: WrittenFilesProps) {
  const { projectId, script, stamp } = props;
  const connection = useFilesConnection();
  const files = script.heredocs.filter(isWritten).map(({ file }) => file);
  const paths = [...new Set(files.filter(isInWorkspace))];
  const answers = useQueries({ queries: paths.map((path) => before(projectId, stamp, path, connection)) });
  return <Files {...props} present={(path) => answers[paths.indexOf(path)]?.data ?? { is: "unknown" }} />;
}

const before = (projectId: number, stamp: string, path: string, connection: FilesConnection | undefined) => ({
  queryKey: ["review", projectId, stamp, path],
  enabled: connection !== undefined,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<Content> => {
    try {
      return { is: "there", text: (await connection?.read(path))?.content ?? "" };
    } catch (error) {
      if (isProblem(error, "not_found")) return { is: "new" };
      throw error;
    }
  },
});

function Files({ script, wrap, present }: WrittenFilesProps & { present: (path: string) => Content }) {
  return writingsOf(script, present).map((writing) => (
    <WrittenFile key={writing.heredoc.opened} writing={writing} wrap={wrap} />
  ));
}

function WrittenFile({ writing, wrap }: { writing: Writing; wrap: boolean }) {
  const { before, after } = writing;
  const { file, text, expands } = writing.heredoc;
  const lang = languageOf(file, text);
  const compared = before.is === "there" && after.is === "there" ? { before, after } : undefined;
  const changes = compared && difference(compared.before.text, compared.after.text);
  const [tone, word] = stateOf(writing, changes?.hunks.length === 0);
  return (
    <details open={word !== "unchanged"} className="group border-line border-b">
      <summary className="flex min-h-10 cursor-pointer list-none flex-wrap items-center gap-x-2.5 gap-y-1 bg-surface px-4 py-1.5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden
          className="-mx-0.5 shrink-0 text-ink-2 transition-transform duration-150 group-open:rotate-90"
        />
        <span className="min-w-0 wrap-anywhere font-[560] font-mono text-small">{file}</span>
        <Pill tone={tone}>{word}</Pill>
        <span className="ml-auto text-ink-2 text-small">
          {changes ? changes.hunks.length > 0 && <Counts difference={changes} /> : lineCount(text)}
        </span>
      </summary>
      {expands && /\$/.test(text) && (
        <p className="px-4 pb-1.5 text-ink-2 text-small">
          Bash fills in the values of its variables when it runs.
        </p>
      )}
      {writing.again && before.is === "unknown" && (
        <p className="px-4 pb-1.5 text-ink-2 text-small">
          The script may change this file above, so its content here is unknown. This is the text that is{" "}
          {writing.heredoc.appends ? "added to it" : "written"}.
        </p>
      )}
      <Scroll
        label={`Text of ${file}`}
        className={cx("pb-1.5 focus-visible:-outline-offset-2", !wrap && "overflow-x-auto")}
      >
        {compared ? (
          <DiffView before={compared.before.text} after={compared.after.text} lang={lang} wrap={wrap} />
        ) : (
          <CodeView text={text} lang={lang} wrap={wrap} />
        )}
      </Scroll>
    </details>
  );
}

function stateOf({ heredoc, before, again }: Writing, same: boolean): [Tone, string] {
  if (before.is === "there")
    return same ? ["idle", "unchanged"] : ["run", again ? "changed again" : "changed"];
  if (before.is === "new") return ["ok", "new"];
  return ["idle", heredoc.appends ? "added to" : again ? "written again" : "written"];
}

function lineCount(text: string): string {
  const lines = text.split("\n").length - 1;
  return counted(lines, "line");
}
