/** Determines which credentials the requirements name, which of them are given, and how to get the others. */
import type { CredentialNames, Provider } from "../api/credentials";
import { PROVIDERS } from "./rules";

export interface Needed {
  name: string;
  provider: Provider;
  given: boolean;
  /** Where to create it, with a link if there is one place for it. */
  where: string;
  link?: string;
  /** The minimum permissions that it needs. */
  rights: string;
}

type Source = Pick<Needed, "where" | "link" | "rights">;

const AWS: Source = {
  where: "AWS console: IAM, Users, Security credentials, Create access key",
  link: "https://console.aws.amazon.com/iam/",
  rights: "A separate user with the rights that the requirements list, and nothing else.",
};

const SOURCES: Record<string, Source> = {
  HCLOUD_TOKEN: {
    where: "Hetzner Cloud console: your project, Security, API tokens",
    link: "https://console.hetzner.cloud/",
    rights: "Read & Write, in a project of its own: a token reaches everything in its project.",
  },
  AWS_ACCESS_KEY_ID: AWS,
  AWS_SECRET_ACCESS_KEY: AWS,
  DIGITALOCEAN_TOKEN: {
    where: "DigitalOcean control panel: API, Tokens",
    link: "https://cloud.digitalocean.com/account/api/tokens",
    rights: "Custom scopes for what is built, with an expiry date.",
  },
  CLOUDFLARE_API_TOKEN: {
    where: "Cloudflare dashboard: My Profile, API Tokens",
    link: "https://dash.cloudflare.com/profile/api-tokens",
    rights: "Zone, DNS, Edit: for the one zone.",
  },
  SSH_PRIVATE_KEY: {
    where: "The private key that opens the server, often ~/.ssh/id_ed25519",
    rights: "A separate key, for one user of that server.",
  },
};

const PASSWORD: Source = {
  where: "Choose it yourself: 12 characters or more, better 20 random ones",
  rights: "Use it nowhere else.",
};

const OTHER: Source = {
  where: "Its provider's console",
  rights: "Only the permissions that the requirements describe.",
};

/** A heading of the document, with its level. */
const HEADING = /^(#{1,6})\s+(.*)$/;
/** The name of an environment variable, as documents write them. */
const NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;

/** The names in the section about credentials; elsewhere, words in capitals with underscores denote other things. */
export function neededNames(requirements: string): string[] {
  const names = new Set<string>();
  let depth: number | undefined;
  for (const line of requirements.split("\n")) {
    const [, marks, title] = HEADING.exec(line) ?? [];
    if (marks !== undefined && title !== undefined) {
      if (/^credentials\b/i.test(title)) depth = marks.length;
      else if (depth !== undefined && marks.length <= depth) depth = undefined;
    } else if (depth !== undefined) {
      for (const [name] of line.matchAll(NAME)) names.add(name);
    }
  }
  return [...names];
}

export function checklist(requirements: string, kept: readonly CredentialNames[]): Needed[] {
  const given = new Set(kept.flatMap(({ names }) => names));
  return neededNames(requirements).map((name) => ({
    name,
    provider: providerOf(name),
    given: given.has(name),
    ...(SOURCES[name] ?? (/PASS(?:WORD|PHRASE)?$/.test(name) ? PASSWORD : OTHER)),
  }));
}

function providerOf(name: string): Provider {
  const known = Object.entries(PROVIDERS).find(([, { fields }]) =>
    fields.some((field) => field.name === name),
  );
  return (known?.[0] as Provider | undefined) ?? "other";
}

/** The initial names of a form: those that are requested, which saving adds to what is kept. */
export const namesFor = (provider: Provider, needed: readonly Needed[]): string[] =>
  needed.filter((one) => one.provider === provider && !one.given).map(({ name }) => name);
