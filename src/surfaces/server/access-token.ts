import { randomBytes } from 'node:crypto';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { Environment } from '../../platform/environment.ts';

const TOKEN_VARIABLE = 'LOADOUT_SERVER_TOKEN';
const MIN_LENGTH = 16;

export interface AccessToken {
  readonly token: string;
  /** Nobody knows it yet. */
  readonly isNew: boolean;
}

/** The user's own token, or one that nobody can guess. */
export function accessToken(env: Environment): AccessToken {
  const given = env[TOKEN_VARIABLE];
  if (given === undefined || given === '')
    return { token: randomBytes(32).toString('base64url'), isNew: true };
  if (given.length >= MIN_LENGTH && /^[\x21-\x7e]+$/.test(given)) return { token: given, isNew: false };
  const message = `${TOKEN_VARIABLE} must have at least ${MIN_LENGTH} printable characters without spaces`;
  throw new LoadoutError('bad-token', message, { subject: TOKEN_VARIABLE });
}
