// Environment variables, and other facts that differ from process to process.

/** Environment variables, of this process or for a child. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place that looks at the environment of this process. */
export const environment = (): Environment => process.env;

/** For a child: only what has a value. */
export function definedVariables(env: Environment): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** Different from the id of every other process that runs now. */
export const processId = (): string => process.pid.toString(36);

/** From 0 up to 1. Must never reach a package. */
export const randomUnit = (): number => Math.random();
