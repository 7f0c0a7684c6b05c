import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Button } from "./button";

test("a pending button can have the focus, and a press neither acts nor submits", () => {
  const onClick = vi.fn();
  const preventDefault = vi.fn();
  const { props } = Button({ pending: true, disabled: true, onClick });
  expect(props.disabled).toBe(false);
  expect(props["aria-disabled"]).toBe(true);
  props.onClick({ preventDefault });
  expect(onClick).not.toHaveBeenCalled();
  expect(preventDefault).toHaveBeenCalled();
});

test("a button that may not be pressed yet is disabled, and any other one acts", () => {
  const onClick = vi.fn();
  expect(Button({ disabled: true, onClick }).props.disabled).toBe(true);
  const { props } = Button({ onClick });
  expect(props["aria-disabled"]).toBeUndefined();
  expect(props.onClick).toBe(onClick);
});

/** `disabled`, while a call is under way: it would take the focus from the button. */
const TAKES_FOCUS =
  /<Button\b(?:[^<>]|=>)*?\bdisabled=\{[^}]*\b(?:is(?:Pending|Fetching)|busy|saving)\b[^}]*\}/g;

test("no button is disabled because of its own call", () => {
  const tree = join(import.meta.dirname, "..");
  const files = readdirSync(tree, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".tsx"),
  );
  const wrong = files.flatMap((file) =>
    // A query that has no data yet is not a call of the button.
    [...readFileSync(join(tree, file), "utf8").replaceAll("plan.isPending", "").matchAll(TAKES_FOCUS)].map(
      ([text]) => `${file}: ${text}`,
    ),
  );
  expect(wrong).toEqual([]);
});
