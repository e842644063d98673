import { statSync } from 'node:fs';
import { errorCode } from '../error-code.ts';
import { encodePath } from './path-codec.ts';

/** True only when it is certain: a folder that cannot be looked at may well be there. */
export function folderIsGone(path: string): boolean {
  try {
    return !statSync(encodePath(path)).isDirectory();
  } catch (error) {
    return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
  }
}
