import { expect, test } from "vitest";
import { MAX_VALUE_BYTES } from "../api/limits";
import { checked, PROVIDERS } from "./rules";

const { fields: aws } = PROVIDERS.aws;
const { fields: ssh } = PROVIDERS.ssh;

test("only optional fields may be left out", () => {
  const id = { name: "AWS_ACCESS_KEY_ID", value: " AKIA1 " };
  const region = { name: "AWS_REGION", value: "" };
  expect(checked([id, { name: "AWS_SECRET_ACCESS_KEY", value: "s" }, region], aws)).toEqual({
    values: { AWS_ACCESS_KEY_ID: "AKIA1", AWS_SECRET_ACCESS_KEY: "s" },
  });
  expect(checked([id, { name: "AWS_SECRET_ACCESS_KEY", value: " " }, region], aws)).toEqual({
    problem: "Secret access key is missing.",
  });
});

test("a key file keeps its last line break", () => {
  const key = { name: "SSH_PRIVATE_KEY", value: "-----BEGIN\nx\n-----END\n" };
  expect(checked([key], ssh)).toEqual({ values: { SSH_PRIVATE_KEY: key.value } });
});

test("a credential is named like a variable and occurs once", () => {
  expect(checked([{ name: "my-token", value: "x" }], [])).toHaveProperty("problem");
  expect(
    checked(
      [
        { name: "A", value: "1" },
        { name: "A", value: "2" },
      ],
      [],
    ),
  ).toEqual({ problem: "A is listed twice." });
  expect(checked([{ name: "TOKEN", value: "" }], [])).toEqual({ problem: "TOKEN has no value." });
});

test("an empty value is refused, and so is one above the limit", () => {
  expect(checked([{ name: "", value: "" }], [])).toEqual({ problem: "Enter at least one credential." });
  const long = [{ name: "TOKEN", value: "é".repeat(MAX_VALUE_BYTES / 2 + 1) }];
  expect(checked(long, [])).toHaveProperty("problem");
});
