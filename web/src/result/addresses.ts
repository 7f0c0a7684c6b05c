/** The addresses of what was built, from the documenter's configuration data. */

export interface Address {
  /** Its place in the data, in words: `service · health url`. */
  name: string;
  text: string;
  /**
   * The address for a browser; undefined if only other programs use it, or if it is reachable only on its own machine.
   */
  href: string | undefined;
  /** Whether it is reachable only on the machine where it runs. */
  local: boolean;
}

/** How many addresses a page lists at most. */
const MOST_ADDRESSES = 40;

/** Names that resolve to the asking machine itself. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1\]?)$/i;
/** A host as it appears in an address; phrases such as "not known yet" do not match. */
const HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+|localhost|[0-9a-f]*:[0-9a-f:]+)$/i;

/** Every URL in the data, and every host with its port unless a URL next to it names it. */
export function addressesOf(data: Record<string, unknown>): Address[] {
  const found: Address[] = [];
  walk(data, [], found);
  return found.slice(0, MOST_ADDRESSES);
}

function walk(value: unknown, path: string[], found: Address[]) {
  if (typeof value === "string") {
    const address = urlOf(value, path);
    if (address) found.push(address);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const before = found.length;
  for (const [key, inner] of Object.entries(value))
    walk(inner, Array.isArray(value) ? path : [...path, key], found);
  const own = found.length > before || Array.isArray(value) ? undefined : hostOf(value, path);
  if (own) found.push(own);
}

/** A web address; one that contains a user or a password is not shown. */
function urlOf(text: string, path: string[]): Address | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || text.includes("{{") || !URL.canParse(text)) return undefined;
  const { hostname, username, password } = new URL(text);
  if (username || password) return undefined;
  const local = LOOPBACK.test(hostname);
  return { name: nameOf(path), text, href: local ? undefined : text, local };
}

function hostOf(value: object, path: string[]): Address | undefined {
  const { host, port } = value as { host?: unknown; port?: unknown };
  if (typeof host !== "string" || !HOST.test(host)) return undefined;
  const place = host.includes(":") ? `[${host}]` : host;
  const text = typeof port === "number" ? `${place}:${port}` : place;
  return { name: nameOf(path), text, href: undefined, local: LOOPBACK.test(host) };
}

const nameOf = (path: string[]) => path.map((part) => part.replaceAll("_", " ")).join(" · ") || "address";
