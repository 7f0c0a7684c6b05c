import { expect, test } from "vitest";
import { tokensOf } from "./highlight";
import { languageOf } from "./language";

test("a file's language comes from its name or its first line, and a template's from what it becomes", () => {
  const named = (path: string, text = "") => languageOf(path, text);
  expect(named("hello-service/service.py")).toBe("python");
  expect(named("app/Dockerfile")).toBe("docker");
  expect(named("app/Dockerfile.worker")).toBe("docker");
  expect(named("files/dump-database.timer")).toBe("systemd");
  expect(named("templates/tuning.cnf.j2")).toBe("ini");
  expect(named("templates/dump.sh.j2")).toBe("bash");
  expect(named("bin/serve", "#!/usr/bin/env python3\n")).toBe("python");
  expect(named("bin/serve", "#!/bin/sh\n")).toBe("bash");
  expect(named("README")).toBeUndefined();
});

test.each([
  ["python", "def run(port):\n    return None"],
  ["docker", "FROM debian:13\nRUN true"],
  ["ini", "[mysqld]\nport = 3306"],
  ["systemd", "[Service]\nExecStart=/bin/true"],
  ["toml", "[package]\nname = 'a'"],
  ["sql", "SELECT 1 FROM a"],
  ["hcl", 'resource "a" "b" {}'],
  ["yaml", "a: 1"],
  ["json", '{"a": 1}'],
  ["bash", "set -e"],
] as const)("%s is colored, and no character of it is lost", async (language, text) => {
  const lines = await tokensOf(text, language);
  expect(lines?.map((line) => line.map(({ text }) => text).join("")).join("\n")).toBe(text);
  expect(new Set(lines?.flat().map(({ color }) => color)).size).toBeGreaterThan(1);
});
