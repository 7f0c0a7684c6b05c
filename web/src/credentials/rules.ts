/** Which values are accepted as credentials, and which credentials each provider has. */
import type { Provider } from "../api/credentials";
import { MAX_VALUE_BYTES } from "../api/limits";

export interface Field {
  name: string;
  /** The provider's name for it. */
  label: string;
  optional?: boolean;
  /** Whether it is a text of several lines, such as a key file. */
  long?: boolean;
  /** Whether it is not a secret. */
  open?: boolean;
}

export const PROVIDERS: Record<Provider, { label: string; fields: Field[] }> = {
  aws: {
    label: "AWS",
    fields: [
      { name: "AWS_ACCESS_KEY_ID", label: "Access key ID", open: true },
      { name: "AWS_SECRET_ACCESS_KEY", label: "Secret access key" },
      { name: "AWS_REGION", label: "Region", optional: true, open: true },
    ],
  },
  digitalocean: {
    label: "DigitalOcean",
    fields: [{ name: "DIGITALOCEAN_TOKEN", label: "Personal access token" }],
  },
  hetzner: { label: "Hetzner Cloud", fields: [{ name: "HCLOUD_TOKEN", label: "API token" }] },
  ssh: {
    label: "SSH",
    fields: [
      { name: "SSH_PRIVATE_KEY", label: "Private key", optional: true, long: true },
      { name: "SSH_PASSWORD", label: "Password", optional: true },
    ],
  },
  other: { label: "Other", fields: [] },
  chat: { label: "From the chats", fields: [] },
};

/** The provider's name; an unknown provider goes by its id. */
export const labelOf = (provider: Provider): string => PROVIDERS[provider]?.label ?? provider;

/** The providers with a form. */
export const GIVEN: Provider[] = ["aws", "digitalocean", "hetzner", "ssh", "other"];

/** Outputs hide a shorter value only as a word of its own, or not at all, in bytes. */
const HIDDEN_EVERYWHERE_BYTES = 6;

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Whether outputs may show a value, because it is too short to be hidden everywhere. */
export const isShort = (value: string): boolean =>
  value.trim() !== "" && bytes(value.trim()) < HIDDEN_EVERYWHERE_BYTES;

const NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

export interface Entry {
  name: string;
  value: string;
}

export type Checked = { values: Record<string, string> } | { problem: string };

/** The entries to send, or the error of the first invalid one; empty optional ones are left out. */
export function checked(entries: readonly Entry[], fields: readonly Field[]): Checked {
  const values: Record<string, string> = {};
  for (const { name, value } of entries) {
    const field = fields.find((field) => field.name === name);
    const given = field?.long ? value : value.trim();
    if (given.trim() === "") {
      if (field && !field.optional) return { problem: `${field.label} is missing.` };
      if (!field && name.trim() !== "") return { problem: `${name} has no value.` };
      continue;
    }
    if (!NAME.test(name)) {
      return { problem: "Use up to 64 capital letters, digits and underscores, starting with a letter." };
    }
    if (name in values) return { problem: `${name} is listed twice.` };
    if (bytes(given) > MAX_VALUE_BYTES) {
      return { problem: `${field?.label ?? name} is too long. A credential may have up to 8 KB.` };
    }
    values[name] = given;
  }
  return Object.keys(values).length === 0 ? { problem: "Enter at least one credential." } : { values };
}
