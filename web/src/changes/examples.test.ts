import { expect, test } from "vitest";
import { MAX_WISH_CHARS } from "../api/limits";
import { examplesFor, wishBack } from "./examples";

test("each example changes something", () => {
  expect(examplesFor("Port 8080")).toEqual(["Use port 9090", "Protect the page with a password"]);
  expect(examplesFor("Port 9090, behind a password")).toEqual(["Use port 9191", "Rotate the password"]);
  expect(examplesFor("Ports 9090 and 9191")).toEqual(["Protect the page with a password"]);
  expect(examplesFor(undefined)).toEqual([]);
});

const PROTECT = "Protect the page with a password";

test.each([
  "A page on port 8080, without a password",
  "No login and no password",
  "SSH lets nobody in by password: not with a password, only with keys",
  "Password login is disabled",
  "Password: none",
  "The page does not need a password.",
  "Die Seite hat kein Passwort",
  "Ohne Benutzer und Passwort",
  "Ein Kennwort ist nicht nötig",
  "La page est sans mot de passe",
  "Il n'y a pas de mot de passe",
  "Mot de passe : aucun",
  "La página no tiene contraseña",
  "Sin usuario ni contraseña",
  "La contraseña no es necesaria",
])("a password that is denied is not rotated: %s", (requirements) => {
  expect(examplesFor(requirements)).toContain(PROTECT);
});

test.each([
  "Without TLS, behind a password",
  "No root login. The database has a password",
  "The page is not public but has a password",
  "Redis requires a password that is not in the logs",
  "Keine Anmeldung als root; die Seite hat ein Passwort",
  "Nicht öffentlich, sondern mit Passwort",
  "Sans TLS, avec un mot de passe",
  "Sin TLS, pero con contraseña",
])("a password is rotated although something else is denied: %s", (requirements) => {
  expect(examplesFor(requirements)).toContain("Rotate the password");
});

test("the request to bring drift back names what is no longer as described, within its limit", () => {
  expect(wishBack(["The service runs.", "The page answers"])).toBe(
    "Bring this back to what is described: The service runs; The page answers.",
  );
  expect(wishBack(["x".repeat(2 * MAX_WISH_CHARS)])).toHaveLength(MAX_WISH_CHARS);
});
