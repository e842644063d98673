// The error that users see, and the codes of the errors that the system throws.

/** The subject of an error, and what to do next. */
export interface LoadoutErrorDetails {
  /** The file, flag or value that the error is about. */
  readonly subject?: string;
  /** The user's next step. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * The only error Loadout throws on purpose: bad input or a refusal from outside. It is shown without a stack
 * trace; every other error is a bug and keeps its trace.
 */
export class LoadoutError extends Error {
  override readonly name = 'LoadoutError';
  readonly code: string;
  readonly subject: string | undefined;
  readonly hint: string | undefined;

  constructor(code: string, message: string, details: LoadoutErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.subject = details.subject;
    this.hint = details.hint;
  }
}

/** The code of a system error, such as `ENOENT`; empty for any other error. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
