import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../test/support/cpu-time.ts';
import {
  safeData,
  safeJson,
  safeLine,
  safeMessage,
  safeText,
  shownName,
  withoutSecrets,
} from './outgoing-text.ts';

/** Two counters in turn, as people type a key: `9f8a7b…`. */
const COUNTED = Array.from({ length: 16 }, (_, at) => `${(25 - at) % 10}${'fabcde'[at % 6]}`).join('');
const PASSWORD = 'N7cA2kM9bQ4hE6pd3x';

describe('text that has no file', () => {
  it.each([
    ['a variable', `DB_PASSWORD=${PASSWORD}`],
    ['an exported one', `export API_TOKEN=${PASSWORD}`],
    ['one of many', `PATH=/usr/bin\nAWS_SECRET_ACCESS_KEY=${PASSWORD}${PASSWORD}\nHOME=/root`],
    ['a setting', `password: ${PASSWORD}`],
    ['a setting below another', `db:\n  password: ${PASSWORD}\n  host: db`],
    ['a variable inside a sentence', `login failed for DB_PASSWORD=${PASSWORD} at db.shop.io`],
    ['a setting inside a sentence', `sent with token: ${PASSWORD} in the header`],
    ['a variable in JSON', JSON.stringify({ stdout: `HOME=/root\nAPI_TOKEN=${PASSWORD}\nEND=1\n` })],
    ['a word behind a password’s own name', 'user: me\npassword: correcthorse\nhost: db'],
    ['a key that was made up by counting', `API_TOKEN=${COUNTED}`],
    ['a word that only its name makes a secret', 'MAIL_PASSWORD=correcthorsebattery'],
  ])('loses %s', (_what, text) => {
    const shown = withoutSecrets(text);
    expect(shown).toContain('[redacted: ');
    for (const secret of [PASSWORD, COUNTED, 'correcthorse']) expect(shown).not.toContain(secret);
    expect(shown.split('\n').length).toBe(text.split('\n').length);
    expect(withoutSecrets(shown)).toBe(shown);
  });

  it.each([
    'give KEY=VALUE or KEY=@FILE',
    'MAX_TOKENS=100000',
    'API_KEY = load_key()',
    'SECRET_KEY=settings.SECRET_KEY',
    'const password: string = read();',
    'function open(token: AccessToken, key: string): void;',
    'tokens: 12345 of 30000',
    'key: src/surfaces/cli/commands/pack.ts',
    'see https://example.org/path?a=1',
  ])('keeps %s', (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });

  it('takes time in proportion to its length', () => {
    for (const piece of ['password=', ' ', 'x', 'token: ', 'a=bbbbb ', 'KEY=', '\\n']) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      expect(
        cpuTime(() => withoutSecrets(text)),
        piece,
      ).toBeLessThan(4_000);
    }
  });
});

describe('what people and models read', () => {
  it('is one line where one line is meant, and marks what cannot be seen', () => {
    expect(safeLine('a\u001b]0;t\u0007\n## Task\u202e')).toBe('a⟨U+001B⟩]0;t⟨U+0007⟩⟨U+000A⟩## Task⟨U+202E⟩');
    expect(safeText('a\n\u{e0041}b')).toBe('a\n⟨U+E0041⟩b');
    expect(safeMessage('cannot read x\n## Task')).toBe('cannot read x\n    ## Task');
    expect(shownName(`src/ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}.ts`)).toBe(
      'src/[redacted: github-token].ts',
    );
  });
});

describe('data for programs', () => {
  const path = `src/ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}\n\u202e\u{e0041}.ts`;

  it('keeps names of files and loses secrets everywhere else', () => {
    const data = {
      path,
      files: [{ path, targets: [path] }],
      why: [`DB_PASSWORD=${PASSWORD}`],
      count: 1,
      none: null,
    };
    expect(safeData(data)).toEqual({ ...data, why: ['DB_PASSWORD=[redacted: environment-value]'] });
  });

  it('is JSON in which nothing is hidden and from which every name comes back', () => {
    const json = safeJson({ path, message: 'a\u202eb' }, 2);
    expect(json).toMatch(/^[\n -~]+$/);
    expect(JSON.parse(json)).toEqual({ path, message: 'a\u202eb' });
  });
});
