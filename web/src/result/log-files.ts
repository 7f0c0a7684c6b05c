/** The log files of what was built, from the documenter's configuration data. */

/** How many log files a page shows at most. */
const MOST_LOGS = 6;

/** A log file's path, from the workspace or from the home folder that holds it. */
const LOG = /^(?:~\/workspace\/|\.\/)?((?:[\w@+-][\w.@+-]*\/)*[\w@+-][\w.@+-]*\.log)$/;

/** The log files that the data names, relative to the workspace. */
export function logFilesIn(data: unknown): string[] {
  const found = new Set<string>();
  const walk = (value: unknown) => {
    if (typeof value === "string") {
      const path = LOG.exec(value)?.[1];
      if (path) found.add(path);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  walk(data);
  return [...found].slice(0, MOST_LOGS);
}
