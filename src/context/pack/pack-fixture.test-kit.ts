/** A small shop: a session that refreshes tokens, who uses it, and files that have nothing to do with it. */
const filler = (name: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `export function ${name}${at}(amount: number): number {\n  const share = amount * ${at};\n  return share + ${at};\n}\n`,
  ).join('\n');

export const SHOP_FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "scripts": { "test": "vitest run", "build": "tsc" } }\n',
  'AGENTS.md': '# Rules\n\nWrite a test for every fix.\n',
  'src/auth/session.ts': `import { fetchToken } from './token-client.ts';
import { Clock } from '../clock.ts';

/** Keeps a token fresh. */
export class Session {
  #token = '';
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Two calls at once must refresh the token once. */
  async refreshToken(): Promise<string> {
    if (this.#clock.now() > 0) this.#token = await fetchToken('refresh');
    return this.#token;
  }

  logOut(): void {
    this.#token = '';
  }
}

${filler('sessionDetail', 110)}`,
  'src/auth/token-client.ts': `export interface TokenAnswer {
  readonly token: string;
}

/** Asks the server for a token. */
export async function fetchToken(grant: string): Promise<string> {
  const answer: TokenAnswer = { token: grant };
  return answer.token;
}
`,
  'src/clock.ts': `export class Clock {
  now(): number {
    return 1;
  }
}
${filler('clockDetail', 12)}`,
  'src/checkout/basket.ts': `import { Session } from '../auth/session.ts';

export function openBasket(session: Session): Promise<string> {
  return session.refreshToken();
}

${filler('basketDetail', 30)}`,
  'src/checkout/prices.ts': filler('price', 60),
  'test/session.test.ts': `import { Session } from '../src/auth/session.ts';

it('refreshes the token once', () => {
  expect(new Session({ now: () => 1 })).toBeDefined();
});
`,
  'docs/notes.md': `# Notes\n\nNothing about sessions.\n${'A line of prose.\n'.repeat(40)}`,
};

export const SHOP_TASK = 'Fix the race in refreshToken of the session: two calls fetch the token twice';
