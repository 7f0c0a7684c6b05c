import { expect, test } from "vitest";
import { asksForChange } from "./asks-for-change";

test("a message that says what to do differently asks for a change", () => {
  for (const message of [
    "Listen on port 9090 instead",
    "please write a comment above every line",
    "Could you use port 9090?",
    "Do not open port 80.",
    "Bitte nimm Port 9090",
    "no sudo, I have none",
  ])
    expect(asksForChange(message), message).toBe(true);
});

test("a question, a greeting and a thank-you ask for no change", () => {
  for (const message of [
    "Why did step 2 fail, and how can it be fixed?",
    "what does line 4 do",
    "Can you explain the second line?",
    "Please tell me what it prints.",
    "Warum Port 8080?",
    "Hello",
    "Thanks a lot!",
  ])
    expect(asksForChange(message), message).toBe(false);
});
