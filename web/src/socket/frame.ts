/** The fields of one message or event, read defensively: data from the network may have any form. */
export interface Frame {
  field: (name: string) => unknown;
  /** A field as text; empty if it is missing. */
  text: (name: string) => string;
  number: (name: string, otherwise: number) => number;
}

/** The content of a JSON frame; undefined for any other. */
export function readFrame(data: unknown): Frame | undefined {
  if (typeof data !== "string") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  const field = (name: string): unknown => Reflect.get(Object(value), name);
  return {
    field,
    text: (name) => String(field(name) ?? ""),
    number: (name, otherwise) => Number(field(name) ?? otherwise),
  };
}
