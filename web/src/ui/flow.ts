/**
 * A diagram of a system in one line of text, as the architect writes it in a code block:
 *
 *     Visitors (browser) --443--> web-1 (2 vCPU, 4 GB) --WAL, 1 min--> Object store (7 days kept)
 *
 * It is also readable as plain text, so everywhere else it stays text.
 */
interface FlowNode {
  name: string;
  note: string | undefined;
  /** The label of the arrow to this node. */
  via: string | undefined;
}

const ARROW = / +--(?:([^>\n]{1,40}?)--)?> +/;

export function parseFlow(line: string): FlowNode[] {
  const parts = line.trim().split(ARROW);
  const nodes: FlowNode[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const [, name = "", note] = /^(.*?)(?: \(([^()]*)\))?$/.exec(parts[index] ?? "") ?? [];
    nodes.push({ name: name.trim(), note, via: index > 0 ? parts[index - 1]?.trim() : undefined });
  }
  return nodes;
}

/** Whether every line of a code block is such a diagram, of two to six parts. */
export function isFlow(code: string): boolean {
  const lines = code.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => isPicture(parseFlow(line)));
}

function isPicture(nodes: FlowNode[]): boolean {
  return (
    nodes.length >= 2 &&
    nodes.length <= 6 &&
    nodes.every((node) => node.name !== "" && node.name.length <= 40)
  );
}
