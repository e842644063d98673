export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place that looks at the environment of this process. */
export const environment = (): Environment => process.env;
