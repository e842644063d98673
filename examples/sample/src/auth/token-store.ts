import type { TokenPair } from './token-pair.ts';

/** Where the current pair lives between requests. */
export interface TokenStore {
  load(): Promise<TokenPair>;
  save(pair: TokenPair): Promise<void>;
}

export class MemoryTokenStore implements TokenStore {
  #pair: TokenPair;

  constructor(pair: TokenPair) {
    this.#pair = pair;
  }

  async load(): Promise<TokenPair> {
    return this.#pair;
  }

  async save(pair: TokenPair): Promise<void> {
    this.#pair = pair;
  }
}
