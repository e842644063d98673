import type { Settings } from '../config/settings.ts';
import type { OpenScan } from './run-scan.ts';

/** An index that stays open for several users. Once retired, it is closed when the last of them is done. */
export class KeptScan {
  readonly #scan: OpenScan;
  #users = 0;
  #isRetired = false;

  constructor(scan: OpenScan) {
    this.#scan = scan;
  }

  async use<Answer>(work: (scan: OpenScan) => Promise<Answer>): Promise<Answer> {
    this.#users += 1;
    try {
      return await work(this.#scan);
    } finally {
      this.#users -= 1;
      if (this.#isRetired) this.#closeWhenFree();
    }
  }

  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#closeWhenFree();
  }

  #closeWhenFree(): void {
    if (this.#users === 0) this.#scan.index.close();
  }
}

/** Settings on which an index depends: with others, the same files have another one. */
const INDEX_SETTINGS = ['include', 'exclude', 'maxFileBytes', 'maxFiles', 'cacheDir'] as const;

export const indexKey = (settings: Settings): string =>
  JSON.stringify(INDEX_SETTINGS.map((name) => settings[name]));
