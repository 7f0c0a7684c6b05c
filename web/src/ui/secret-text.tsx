import { numbered } from "../lib/numbered";
import { SECRET } from "./markdown";

/** Plain text that sets the names of secrets apart from typed text. */
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
