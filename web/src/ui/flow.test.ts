import { expect, test } from "vitest";
import { isFlow, parseFlow } from "./flow";

test("a line of parts and arrows is a diagram", () => {
  expect(parseFlow("Visitors (browser) --443--> web-1 (2 vCPU, 4 GB) --> Store")).toEqual([
    { name: "Visitors", note: "browser", via: undefined },
    { name: "web-1", note: "2 vCPU, 4 GB", via: "443" },
    { name: "Store", note: undefined, via: undefined },
  ]);
  expect(isFlow("Visitors --443--> web-1\n")).toBe(true);
});

test("ordinary code is not a diagram", () => {
  expect(isFlow("terraform plan -out=plan\n")).toBe(false);
  expect(isFlow("docker compose up -d --wait\ncurl -fsS x --> y")).toBe(false);
  expect(isFlow("")).toBe(false);
});
