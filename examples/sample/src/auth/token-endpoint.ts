import type { SendRequest } from '../http/send-request.ts';
import { type TokenPair, TokenRejectedError } from './token-pair.ts';

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** Trades a refresh token for a new pair. */
export type ExchangeToken = (refreshToken: string) => Promise<TokenPair>;

export function createExchangeToken(send: SendRequest, baseUrl: string, now: () => number): ExchangeToken {
  return async (refreshToken) => {
    const response = await send({
      method: 'POST',
      url: `${baseUrl}/oauth/token`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    });
    if (response.status === 400) throw new TokenRejectedError('the partner answered invalid_grant');
    const answer = JSON.parse(response.body) as TokenAnswer;
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      expiresAt: now() + answer.expires_in * 1000,
    };
  };
}
