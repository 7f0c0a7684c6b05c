import { useQueries, useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { sandboxQuery } from "../api/sandbox";
import { type FilesLink, isProblem } from "../files/link";
import { useFilesLink } from "../files/use-files";
import { cx } from "../ui/class";
import { Pill, type Tone } from "../ui/pill";
import { difference } from "./diff";
import { CodeView, Counts, DiffView } from "./diff-view";
import { languageOf } from "./language";
import { type Heredoc, isInWorkspace } from "./script";

interface WrittenFilesProps {
  projectId: number;
  files: (Heredoc & { file: string })[];
  /** Identifies the command and attempt: present contents are read once for each. */
  stamp: string;
  wrap: boolean;
}

/** A file's content before the script writes it; undefined while unknown. */
type Before = { is: "unknown" | "new" } | { is: "there"; text: string };

/** The files that a script writes, each compared with its present content in the workspace if that can be read. */
export function WrittenFiles(props: WrittenFilesProps) {
  const sandbox = useQuery(sandboxQuery(props.projectId));
  return sandbox.data?.container_status === "Running" ? (
    <Compared {...props} />
  ) : (
    <Files {...props} before={unknown} />
  );
}

const unknown = (): Before => ({ is: "unknown" });

function Compared(props: WrittenFilesProps) {
  const { projectId, files, stamp } = props;
  const link = useFilesLink();
  const paths = [...new Set(files.map(({ file }) => file).filter(isInWorkspace))];
  const answers = useQueries({ queries: paths.map((path) => before(projectId, stamp, path, link)) });
  return <Files {...props} before={(path) => answers[paths.indexOf(path)]?.data ?? { is: "unknown" }} />;
}

const before = (projectId: number, stamp: string, path: string, link: FilesLink | undefined) => ({
  queryKey: ["review", projectId, stamp, path],
  enabled: link !== undefined,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<Before> => {
    try {
      return { is: "there", text: (await link?.read(path))?.content ?? "" };
    } catch (error) {
      if (isProblem(error, "not_found")) return { is: "new" };
      throw error;
    }
  },
});

function Files({ files, wrap, before }: WrittenFilesProps & { before: (path: string) => Before }) {
  return files.map((heredoc) => (
    <WrittenFile key={heredoc.opened} heredoc={heredoc} wrap={wrap} before={before(heredoc.file)} />
  ));
}

function WrittenFile({
  heredoc,
  wrap,
  before,
}: {
  heredoc: Heredoc & { file: string };
  wrap: boolean;
  before: Before;
}) {
  const { file, text, appends, expands } = heredoc;
  const lang = languageOf(file, text);
  const after = appends && before.is === "there" ? before.text + text : text;
  const changes = before.is === "there" ? difference(before.text, after) : undefined;
  const [tone, word] = stateOf(before, appends, changes?.hunks.length === 0);
  return (
    <details open={word !== "unchanged"} className="group border-line border-b">
      <summary className="flex min-h-10 cursor-pointer list-none flex-wrap items-center gap-x-2.5 gap-y-1 bg-surface px-4 py-1.5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden
          className="-mx-0.5 shrink-0 text-ink-2 transition-transform duration-150 group-open:rotate-90"
        />
        <span className="min-w-0 break-all font-[560] font-mono text-small">{file}</span>
        <Pill tone={tone}>{word}</Pill>
        <span className="ml-auto text-ink-2 text-small">
          {changes ? <Counts difference={changes} /> : `${text.split("\n").length - 1} lines`}
        </span>
      </summary>
      {expands && /\$/.test(text) && (
        <p className="px-4 pb-1.5 text-ink-2 text-small">
          Bash fills in the values of its variables when it runs.
        </p>
      )}
      <div className={cx("pb-1.5", !wrap && "overflow-x-auto")}>
        {changes ? (
          <DiffView before={before.is === "there" ? before.text : ""} after={after} lang={lang} wrap={wrap} />
        ) : (
          <CodeView text={text} lang={lang} wrap={wrap} />
        )}
      </div>
    </details>
  );
}

function stateOf(before: Before, appends: boolean, same: boolean): [Tone, string] {
  if (before.is === "there") return same ? ["idle", "unchanged"] : ["run", "changed"];
  if (before.is === "new") return ["ok", "new"];
  return ["idle", appends ? "added to" : "written"];
}
