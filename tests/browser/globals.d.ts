/** Short names for types that most files of this suite use. */
type Browser = import("playwright-core").Browser;
type BrowserContextOptions = import("playwright-core").BrowserContextOptions;
type Locator = import("playwright-core").Locator;
type Page = import("playwright-core").Page;
/** A call that a page makes; `Request` is the browser's own type. */
type PageRequest = import("playwright-core").Request;
/** The bodies of the API's calls. */
type Schemas = import("../../web/src/api/schema.ts").components["schemas"];
type TestContext = import("node:test").TestContext;
type User = import("./support/user.ts").User;

/** Values that tests store on the page's window to read later; each test sets what it reads. */
interface Window {
  away?: boolean;
  axe: typeof import("axe-core");
  changes: string[];
  notices: [title: string, body: string][];
  said: Set<string>;
  shift: number;
  statuses: string[];
  wordless?: boolean;
}
