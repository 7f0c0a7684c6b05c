/** Says which credentials' values outputs do not hide everywhere. */
import type { CredentialNames } from "../api/credentials";

type Hiding = NonNullable<CredentialNames["hiding"]>[string];

const LABELS: Record<Exclude<Hiding, "everywhere">, (names: string) => string> = {
  never: (names) => `Outputs show ${names}: too short or too common to be hidden.`,
  as_a_word: (names) => `Outputs hide ${names} only where the value stands alone: it is short.`,
};

/** The sentences about a set, none if outputs hide all of its values everywhere. */
export const notes = ({ hiding = {} }: Pick<CredentialNames, "hiding">): string[] =>
  (["never", "as_a_word"] as const).flatMap((kind) => {
    const names = Object.keys(hiding).filter((name) => hiding[name] === kind);
    return names.length > 0 ? [LABELS[kind](names.join(", "))] : [];
  });
