import { expect, test } from "vitest";
import { questionIn } from "./question";

test("an agent's question is not an error", () => {
  const asked = "The agent asks: Which port\nshall it use? Answer in the chat, then start this again.";
  expect(questionIn(asked)).toBe("Which port\nshall it use?");
  expect(questionIn("The command could not be prepared. The agent asks: no")).toBeUndefined();
  expect(questionIn("The command exited with code 1.")).toBeUndefined();
  expect(questionIn(null)).toBeUndefined();
});
