import { Card, CardHeader } from "../ui/card";
import { CopyButton } from "../ui/copy-button";
import { KeptScroll } from "../ui/kept-scroll";
import { SecretText } from "../ui/secret-text";

/** The configuration data of what was built, each value ready to copy; secrets appear only by name. */
export function Configuration({ data }: { data: Record<string, unknown> }) {
  return (
    <Card label="Configuration Data" className="flex-1">
      <CardHeader title="Configuration Data">
        <CopyButton what="everything as JSON" text={JSON.stringify(data, null, 2)} />
      </CardHeader>
      <KeptScroll
        label="Configuration Data"
        className="min-h-0 flex-1 overflow-auto px-6.5 py-3 focus-visible:-outline-offset-2 max-narrow:px-4.5"
      >
        <p className="mb-3 hidden font-[620] font-display text-lead print:block">Configuration Data</p>
        <table className="w-full text-left max-narrow:block">
          <thead className="max-narrow:hidden">
            <tr>
              <th className="label border-line-strong border-b py-1.5 pr-6">Key</th>
              <th className="label border-line-strong border-b py-1.5">Value</th>
              <th className="border-line-strong border-b">
                <span className="sr-only">Copy</span>
              </th>
            </tr>
          </thead>
          <tbody className="max-narrow:block">
            {Object.entries(data).map(([key, value]) => (
              <Row key={key} name={key} text={readable(value)} block={isCompound(value)} />
            ))}
          </tbody>
        </table>
      </KeptScroll>
    </Card>
  );
}

function Row({ name, text, block }: { name: string; text: string; block: boolean }) {
  return (
    <tr className="border-line border-b last:border-0 max-narrow:relative max-narrow:block max-narrow:py-2">
      <th
        scope="row"
        className="py-2 pr-6 align-top font-[550] max-narrow:block max-narrow:py-0 max-narrow:pr-9"
      >
        <span className="inline-block py-0.5 font-mono text-small">{name}</span>
      </th>
      <td className="w-full py-2 align-top max-narrow:block max-narrow:py-1">
        {block ? (
          <pre className="prose-crew overflow-x-auto whitespace-pre-wrap rounded-control border border-line bg-sunken px-3 py-2 font-mono text-small leading-[1.55]">
            <SecretText text={text} />
          </pre>
        ) : (
          <span className="prose-crew inline-block py-0.5 font-mono text-small">
            <SecretText text={text} />
          </span>
        )}
      </td>
      <td className="py-1.5 pl-3 align-top max-narrow:absolute max-narrow:top-1 max-narrow:right-0 max-narrow:p-0">
        <CopyButton what={`the value of ${name}`} text={text} />
      </td>
    </tr>
  );
}

const isCompound = (value: unknown) => typeof value === "object" && value !== null;

const readable = (value: unknown) =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
