export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place that looks at the environment of this process. */
export const environment = (): Environment => process.env;

/** Tells this process from every other one that runs now. */
export const processId = (): string => process.pid.toString(36);
