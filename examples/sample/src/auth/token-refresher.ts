import type { ExchangeToken } from './token-endpoint.ts';
import type { TokenStore } from './token-store.ts';

/** Refresh this long before the end, so that no request leaves with a token that dies on the way. */
const EXPIRY_MARGIN_MS = 30_000;

export class TokenRefresher {
  readonly #store: TokenStore;
  readonly #exchange: ExchangeToken;
  readonly #now: () => number;

  constructor(store: TokenStore, exchange: ExchangeToken, now: () => number = Date.now) {
    this.#store = store;
    this.#exchange = exchange;
    this.#now = now;
  }

  /** A token that is good for at least `EXPIRY_MARGIN_MS`. */
  async accessToken(): Promise<string> {
    const pair = await this.#store.load();
    if (pair.expiresAt - EXPIRY_MARGIN_MS > this.#now()) return pair.accessToken;
    return this.refresh();
  }

  /** A new token, whatever the stored one says. */
  async refresh(): Promise<string> {
    const { refreshToken } = await this.#store.load();
    const pair = await this.#exchange(refreshToken);
    await this.#store.save(pair);
    return pair.accessToken;
  }
}
