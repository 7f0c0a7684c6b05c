/** The fields of one message or event, read with care: what comes over a wire may be anything. */
export interface Frame {
  field: (name: string) => unknown;
  /** A field as text; without it, none. */
  text: (name: string) => string;
  number: (name: string, otherwise: number) => number;
}

/** What a frame of JSON holds; any other is nothing. */
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
