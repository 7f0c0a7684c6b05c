import { expect, test } from "vitest";
import { checklist, neededNames } from "./needed";

const DOCUMENT = `# Shop
Set LOG_LEVEL to info.
## Credentials needed
A token (\`HCLOUD_TOKEN\`) and the passwords MYSQL_ROOT_PASSWORD and \`MYSQL_APP_PASSWORD\`. Enter HCLOUD_TOKEN first.
### Later
\`BACKUP_KEY\`
## Files
TF_VAR_x is set by the script.`;

test("the section about credentials names each of them once", () => {
  expect(neededNames(DOCUMENT)).toEqual([
    "HCLOUD_TOKEN",
    "MYSQL_ROOT_PASSWORD",
    "MYSQL_APP_PASSWORD",
    "BACKUP_KEY",
  ]);
  expect(neededNames("| Credentials | none |")).toEqual([]);
});

test("each credential is given or missing, whichever provider has it, and says where to get it", () => {
  const kept = [{ provider: "chat" as const, names: ["MYSQL_ROOT_PASSWORD"], updated_at: "" }];
  const list = checklist(DOCUMENT, kept);
  expect(list.map(({ given }) => given)).toEqual([false, true, false, false]);
  expect(list.map(({ provider }) => provider)).toEqual(["hetzner", "other", "other", "other"]);
  expect(list[0]?.where).toContain("Hetzner");
  expect(list[2]?.where).toContain("Choose it yourself");
});
