/** What the partner's token endpoint gives out. */
export interface TokenPair {
  readonly accessToken: string;
  /** Works once: using it returns a new pair. */
  readonly refreshToken: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The partner no longer accepts the refresh token. */
export class TokenRejectedError extends Error {
  override readonly name = 'TokenRejectedError';
}
