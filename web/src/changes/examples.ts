/** Ports to suggest: the first one that the project does not use. */
const PORTS = ["9090", "9191"];

/** Common changes that would change something in a project with these requirements; none while they are unknown. */
export function examplesFor(requirements: string | undefined): string[] {
  if (requirements === undefined) return [];
  const port = PORTS.find((port) => !new RegExp(`\\b${port}\\b`).test(requirements));
  const password = /\bpassword\b/i.test(requirements)
    ? "Rotate the password"
    : "Protect the page with a password";
  return [...(port ? [`Use port ${port}`] : []), password];
}
