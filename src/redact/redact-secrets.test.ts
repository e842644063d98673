import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IS_FULL } from '../../test/support/scale.ts';
import { findSecrets, SECRET_DETECTORS } from './find-secrets.ts';
import { redactionDiagnostics } from './outgoing-text.ts';
import { redactSecrets } from './redact-secrets.ts';
import { SYNTHETIC_SECRETS, seededRandom } from './synthetic-secrets.test-kit.ts';

const ROUNDS = 25;
const HOSTILE_LENGTH = IS_FULL ? 1_000_000 : 250_000;
const MAX_HOSTILE_MS = HOSTILE_LENGTH / 1_000;

describe('redactSecrets', () => {
  it.each(Object.entries(SYNTHETIC_SECRETS))('finds %s', (kind, make) => {
    const random = seededRandom(kind.length * 7919);
    const missed: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { line, secret, path = 'src/a.py' } = make(random);
      const { text, findings } = redactSecrets(`before\n${line}\nafter\n`, path);
      if (text.includes(secret) || findings.length === 0) missed.push(line);
      expect(text).toMatch(/^before\n/);
      expect(text).toMatch(/\nafter\n$/);
      expect(text.split('\n').length).toBe(`before\n${line}\nafter\n`.split('\n').length);
      expect(JSON.stringify(findings)).not.toContain(secret.slice(0, 12));
    }
    // a generator may by chance write what looks like a placeholder
    expect(missed.slice(1)).toEqual([]);
  });

  it('names the kind in place of the value and leaves the rest of the line', () => {
    const { secret, line } = SYNTHETIC_SECRETS['stripe-key']!(seededRandom(3));
    const { text, findings } = redactSecrets(`a\n${line}; ${secret}\n`, 'pay.ts');
    expect(text).toBe(`a\n${line.replace(secret, '[redacted: stripe-key]')}; [redacted: stripe-key]\n`);
    expect(findings).toEqual([{ kind: 'stripe-key', path: 'pay.ts', line: 2, count: 2 }]);
  });

  it('names the issuer of a value that a name gives away too', () => {
    const { secret } = SYNTHETIC_SECRETS['github-token']!(seededRandom(5));
    expect(redactSecrets(`API_TOKEN = "${secret}"`, 'a.py').text).toBe(
      'API_TOKEN = "[redacted: github-token]"',
    );
  });

  it('takes a password out of a file of logins once', () => {
    const { text, findings } = redactSecrets('machine api.shop.io login me password swordfish\n', '.netrc');
    expect(text).toBe('machine api.shop.io login me password [redacted: netrc-password]\n');
    expect(findings).toEqual([{ kind: 'netrc-password', path: '.netrc', line: 1, count: 1 }]);
  });

  it.each([
    ['an example of a manual', 'AKIAIOSFODNN7EXAMPLE'],
    ['an example secret', 'aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"'],
    ['a placeholder', 'api_key = "your-api-key-goes-here1"'],
    ['a masked token', `token: "ghp_${'x'.repeat(36)}"`],
    ['a template', `password: "$\{DB_PASSWORD_1aB2}"`],
    ['a word', 'password = "correct-horse-battery"'],
    ['a hash of a password', `password = "pbkdf2_sha256$216000$${'aB3dE6gH9'.repeat(3)}"`],
    ['a digest', '"integrity": "sha512-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3A="'],
    ['a commit', 'revision = "3fbf3296b0e6f0a1c8f6fae1d0b0b0b5d5d3c1aa"'],
    ['a UUID', 'session_token = "550e8400-e29b-41d4-a716-446655440000"'],
    [
      'a public key',
      `-----BEGIN PUBLIC KEY-----\n${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(4)}\n-----END PUBLIC KEY-----`,
    ],
    [
      'a certificate',
      `-----BEGIN CERTIFICATE-----\n${'MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkq'.repeat(4)}\n-----END CERTIFICATE-----`,
    ],
    ['a local default', 'postgres://postgres:postgres@localhost:5432/app'],
    ['a URL of a manual', 'http://user:pass@example.com/'],
    ['a page token', 'next_page_token = "CAUQAAsdf98Z2kd03LaQ"'],
    ['a name of a variable', 'const token = "auth.session.accessToken2"'],
    ['a lexer', '{ token: "string.quoted.double.js" }'],
    [
      'the key of an emulator',
      `AccountName=devstoreaccount1;AccountKey=${'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ'.repeat(2)}==;`,
    ],
    ['an address of a picture', 'assetToken: "Purple62/v4/08/0a/04/080a0430-c2cc-2577-f491-9e0a09c58ffe/mz"'],
    [
      'a token that says hello',
      `token = "${['{"alg":"HS256"}', '{"message":"hello"}', 'x1Y2z3A4b5C6d7E8f9'].map((part) => Buffer.from(part).toString('base64url')).join('.')}"`,
    ],
    ['a path', 'secret: "/run/secrets/db_password_2"'],
    [
      'the token of a manual',
      `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${Buffer.from('{"sub":"1234567890","name":"John Doe"}').toString('base64url')}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`,
    ],
  ])('leaves %s alone', (_, text) => {
    for (const path of ['src/a.ts', 'config.yml']) expect(redactSecrets(text, path).text).toBe(text);
  });

  it('keeps an example file unchanged where the real one is redacted', () => {
    const text = 'DB_PASSWORD=swordfish\n';
    expect(redactSecrets(text, '.env').text).toBe('DB_PASSWORD=[redacted: environment-value]\n');
    expect(redactSecrets(text, '.env.example').text).toBe(text);
    const told =
      'DB_PASSWORD=our own Secret word\nAPI_PUBLIC_KEY=pk1234\nMAIL_PASSWORD=secret\nX_KEY=<key>\n';
    expect(redactSecrets(told, '.env.local').text).toBe(
      told.replace('our own Secret word', '[redacted: environment-value]'),
    );
  });

  const makers = Object.values(SYNTHETIC_SECRETS);
  const piece = fc.oneof(
    fc.tuple(fc.nat(makers.length - 1), fc.nat()).map(([at, seed]) => makers[at]!(seededRandom(seed))),
    fc.string({ unit: 'grapheme', maxLength: 30 }).map((line) => ({ line, secret: '' })),
    fc
      .constantFrom(
        ...['\n', '\r\n', '"', ' ', '=', 'password=', 'token: "', '://', '-----BEGIN '],
        ...['password ', 'a:b:c:d:', '//x/:_auth=', 'ENV API_TOKEN ', 'curl -u a:', 'name: API_KEY\nvalue: '],
      )
      .map((line) => ({ line, secret: '' })),
  );
  const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.map(({ line }) => line).join(''));

  it('gives the same text when it runs twice, and keeps every line number', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.constantFrom('a.ts', '.env', 'x.yml', '.netrc', '.pgpass', '.npmrc', 'Dockerfile'),
        (text, path) => {
          const once = redactSecrets(text, path);
          expect(redactSecrets(once.text, path)).toMatchObject({ text: once.text, findings: [] });
          expect(once.text.split('\n').length).toBe(text.split('\n').length);
          expect(once.text.split('\r\n').length).toBe(text.split('\r\n').length);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it('moves offsets with the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { text: redacted, moveOffset } = redactSecrets(text, 'a.ts');
        let before = 0;
        for (let at = 0; at <= text.length; at++) {
          const moved = moveOffset(at);
          expect(moved).toBeGreaterThanOrEqual(before);
          before = moved;
        }
        expect(moveOffset(text.length)).toBe(redacted.length);
        for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
          if (redacted.split('\n').length < 3)
            expect(redacted.slice(0, moveOffset(at))).toBe(redacted.split('\n')[0]);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['://', 'a:'],
    ['-----BEGIN RSA PRIVATE KEY-----', 'A'],
    ['eyJ', 'eyJ'],
    ['password="', 'aB3'],
    ['password', 'password'],
    ['ghp_', 'aB3'],
    ['-----BEGIN ', 'PRIVATE KEY-----\n'],
    ['Authorization: Basic ', 'QUJD'],
    ['token=', 'token='],
    [';pwd', ':a:b@;pwd'],
    ['?token', '=?token'],
    ['Z2hwX', 'Z2hwX'],
    ['curl -u', ' a: -u'],
    ['ABSK/', 'ABSK/'],
    ['LS0tLS1CRUdJTi', 'AAAA\nLS0tLS1CRUdJTi'],
  ])('takes linear time on %j and much of %j', (start, filler) => {
    const text = (start + filler.repeat(20)).repeat(Math.ceil(500_000 / (start.length + filler.length * 20)));
    const long = start + filler.repeat(Math.ceil(500_000 / filler.length));
    const started = performance.now();
    redactSecrets(text, '.env');
    redactSecrets(long, '.env');
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  // a quarter of the line each
  const hostileFillers = ['', '=', 'aB3', ': "aB3 '];

  it.each(
    SECRET_DETECTORS.map((detector, at) => [`${detector.kind} (${at})`, detector.anchors[0]!] as const),
  )('%s: a long line takes less than a second for each MB', (_, anchor) => {
    const quarters = hostileFillers.map((filler) =>
      (anchor + filler).repeat(Math.ceil(HOSTILE_LENGTH / 4 / (anchor.length + filler.length))),
    );
    for (const text of [quarters.join(''), anchor + 'A'.repeat(HOSTILE_LENGTH)]) {
      // time of the processor: what else the machine does is not ours
      const started = process.cpuUsage();
      findSecrets(text, '.env');
      const { user, system } = process.cpuUsage(started);
      expect((user + system) / 1_000).toBeLessThan(MAX_HOSTILE_MS);
    }
  });

  it('has anchors that the search can hold', () => {
    for (const detector of SECRET_DETECTORS) {
      if ('pattern' in detector) expect(detector.pattern.flags).toContain('y');
      for (const anchor of detector.anchors) expect(anchor).toMatch(/^[\x20-\x7e]{3,}$/);
    }
  });
});

describe('redactionDiagnostics', () => {
  it('reports each secret with its file and line', () => {
    expect(
      redactionDiagnostics([
        { kind: 'npm-token', path: 'a', line: 3, count: 2 },
        { kind: 'stripe-key', path: 'a', line: 9, count: 1 },
        { kind: 'private-key', path: 'b', line: 1, count: 1 },
      ]).map(({ message }) => message),
    ).toEqual([
      'a: 3 secrets redacted: npm-token on line 3, stripe-key on line 9',
      'b: 1 secret redacted: private-key on line 1',
    ]);
  });
});
