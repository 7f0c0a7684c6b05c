import { numbered } from "../lib/numbered";
import { SECRET } from "./markdown";

/** Plain text in which the names of secrets are told apart from what was really typed. */
export function SecretText({ text }: { text: string }) {
  return numbered(text.split(SECRET)).map(({ key, item }) =>
    item.startsWith("secret:") ? (
      <code key={key} className="secret">
        {item}
      </code>
    ) : (
      item
    ),
  );
}
