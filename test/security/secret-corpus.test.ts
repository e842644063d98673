import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../src/redact/redact-secrets.ts';
import { seededRandom } from '../../src/redact/synthetic-secrets.test-kit.ts';
import { ALPHABETS, benignCorpus, type CorpusCase, leaks, pick, secretCorpus } from './secret-corpus.ts';

const MAX_HARD_ONES_MISSED = 4;

function missed(cases: readonly CorpusCase[]): string[] {
  return cases
    .filter((one) => leaks(one, redactSecrets(one.text, one.path).text))
    .map(({ id, text }) => `${id}: ${text}`);
}

describe('the corpus of secrets', () => {
  const secrets = secretCorpus();
  const benign = benignCorpus();

  it('has 300 secrets and 300 look-alikes', () => {
    expect(secrets.length).toBeGreaterThanOrEqual(300);
    expect(benign.length).toBeGreaterThanOrEqual(300);
    expect(secrets.filter((one) => one.secrets.length === 0)).toEqual([]);
    expect(new Set([...secrets, ...benign].map(({ path, text }) => path + text)).size).toBe(
      secrets.length + benign.length,
    );
  });

  it('is found, and nothing of a value is left', () => {
    expect(missed(secrets.filter(({ isHard }) => !isHard))).toEqual([]);
  });

  it('is found where it is in pieces, encoded or glued to other text', () => {
    const hard = secrets.filter(({ isHard }) => isHard);
    expect(hard.length).toBeGreaterThanOrEqual(20);
    expect(missed(hard).length).toBeLessThanOrEqual(MAX_HARD_ONES_MISSED);
  });

  it('leaves look-alikes alone', () => {
    const changed = benign.filter(({ path, text }) => redactSecrets(text, path).findings.length > 0);
    expect(changed.map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
  });
});

describe('random values behind a name', () => {
  const lines: readonly ((value: string) => string)[] = [
    (value) => `password = "${value}"`,
    (value) => `"dbPassword": "${value}",`,
    (value) => `const clientSecret = '${value}';`,
    (value) => `API_TOKEN=${value}`,
    (value) => `  api_key: ${value}`,
  ];
  const rounds = 3_000;

  it.each([
    ['letters and digits', 'W', 12, 0.97],
    ['letters and digits', 'W', 16, 0.99],
    ['letters and digits', 'W', 20, 0.995],
    ['letters and digits', 'W', 32, 1],
    ['lower case and digits', 'L', 12, 0.95],
    ['lower case and digits', 'L', 16, 0.98],
    ['capitals and digits', 'U', 16, 0.98],
    ['letters', 'A', 16, 0.97],
    ['letters, digits and marks', 'P', 12, 0.9],
    ['letters, digits and marks', 'P', 16, 0.97],
    ['hexadecimal digits', 'H', 32, 0.99],
    ['base64, as AWS has it', 'B', 40, 0.99],
  ] as const)('%s (%s), %i characters: %f are found', (_, alphabet, length, least) => {
    const random = seededRandom(length * 7 + alphabet.charCodeAt(0));
    let found = 0;
    for (let round = 0; round < rounds; round++) {
      const value = pick(random, ALPHABETS[alphabet]!, length);
      const text = redactSecrets(lines[round % lines.length]!(value), 'config.yml').text;
      if (!text.includes(value)) found++;
    }
    expect(found / rounds).toBeGreaterThanOrEqual(least);
  });
});
