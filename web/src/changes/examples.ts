import { MAX_WISH_CHARS } from "../api/limits";

/** Ports to suggest: the first one that the project does not use. */
const PORTS = ["9090", "9191"];

/** A password, in the languages of the requirements. */
const PASSWORD =
  /\b(?:passwords?|passw(?:o|ö)rt(?:e[rn]?|s)?|kennw(?:o|ö)rt(?:e[rn]?|s)?|mots? de passe|contraseñas?)(?![\p{L}\d])/iu;
/** What says that something is not there, or is not wanted, before it in the same clause. */
const NOT_BEFORE =
  /(?<![\p{L}\d])(?:no|not|nobody|without|never|neither|nor|instead of|don't|doesn't|cannot|kein\p{L}*|nicht|ohne|nie|niemand|statt|weder|noch|sans|pas|aucun\p{L}*|jamais|personne|ni|sin|ning\p{L}*|nunca|nadie|tampoco)(?![\p{L}\d])/iu;
/** The same after it. */
const NOT_AFTER =
  /^[\p{L}\s]{0,24}?(?:(?:\s*[:=-]\s*|\s)(?:none|no|off|keine?s?|aus|aucun|non|ninguna?)\s*$|(?<![\p{L}\d])(?:not|never|disabled|unnecessary|nicht|nie|deaktiviert|abgeschaltet|unnötig|désactivée?s?|inutiles?|pas|desactivad[ao]s?|innecesari[ao]s?|no)(?![\p{L}\d]))/iu;
/** Ends a clause: what is denied in one is not denied in the next. */
const CLAUSE =
  /[.;!?\n()]|,|(?<![\p{L}\d])(?:but|except|aber|sondern|mais|pero|sino|that|which)(?![\p{L}\d])/iu;

/** Whether the requirements have a password: one that they deny in every mention does not exist. */
function hasPassword(requirements: string): boolean {
  return requirements.split(CLAUSE).some((clause) => {
    const found = PASSWORD.exec(clause);
    if (!found) return false;
    const before = clause.slice(0, found.index);
    return !NOT_BEFORE.test(before) && !NOT_AFTER.test(clause.slice(found.index + found[0].length));
  });
}

/** Common changes that would change something in a project with these requirements; none while they are unknown. */
export function examplesFor(requirements: string | undefined): string[] {
  if (requirements === undefined) return [];
  const port = PORTS.find((port) => !new RegExp(`\\b${port}\\b`).test(requirements));
  const password = hasPassword(requirements) ? "Rotate the password" : "Protect the page with a password";
  return [...(port ? [`Use port ${port}`] : []), password];
}

/** The request to bring back what is no longer as described. */
export const wishBack = (described: readonly string[]): string =>
  `Bring this back to what is described: ${described.map((one) => one.replace(/\.$/, "")).join("; ")}.`.slice(
    0,
    MAX_WISH_CHARS,
  );
