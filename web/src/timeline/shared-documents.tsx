import type { SharedTimeline } from "../api/shares";
import { Code } from "../ui/code";
import { FoldLine } from "../ui/fold-line";
import { Markdown } from "../ui/markdown";
import { DOCUMENT_NAMES } from "../versions/words";

type Documents = SharedTimeline["documents"];

/** The part that is a JSON object rather than Markdown. */
const DATA = "Configuration data";

/** The present documents, each collapsible. */
export function SharedDocuments({ documents }: { documents: Documents }) {
  const written = documents.filter(({ parts }) => parts.length > 0);
  if (written.length === 0) return null;
  return (
    <section aria-labelledby="documents" className="mt-8">
      <h2 id="documents" className="text-lead">
        Documents
      </h2>
      <div className="mt-2 rounded-card border border-line bg-surface">
        {written.map((one) => (
          <details key={one.document} className="border-line border-b px-4.5 last:border-0">
            <FoldLine className="min-h-11 py-3 font-[560]">{titleOf(one)}</FoldLine>
            <div className="flex flex-col gap-4 pb-4">
              {one.parts.map(({ title, text }) =>
                title === DATA ? (
                  <Code key={title} label={title} text={text} />
                ) : (
                  <Markdown key={title} text={text} />
                ),
              )}
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}

function titleOf({ document, versions }: Documents[number]): string {
  const name = DOCUMENT_NAMES[document];
  const present = versions.find(({ present }) => present);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${present ? `, version ${present.number}` : ""}`;
}
