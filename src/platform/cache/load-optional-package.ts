import { errorCode } from '../error-code.ts';

/** A package that the user may have installed beside ours; null when it is not there. */
export async function loadOptionalPackage(name: string): Promise<unknown> {
  try {
    // not a literal, so that no bundler wants it
    return await import(`${name}`);
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return null;
    // what bundlers put in the place of an optional package that is not there
    if (error instanceof Error && /^Could not resolve "/.test(error.message)) return null;
    throw error;
  }
}
