import { describe, expect, it } from 'vitest';
import { analyzeTask } from './analyze-task.ts';

function keywords(text: string): string[] {
  return analyzeTask(text).keywords.map(({ word }) => word);
}

describe('keywords', () => {
  it('are 1 at most, best first, without stop words, numbers and single letters', () => {
    const { keywords: found } = analyzeTask('The parser drops a row x of 42 when it is slow');
    expect(found.map(({ word }) => word)).toEqual(['parser', 'drops', 'row', 'slow']);
    expect(found[0]!.weight).toBe(1);
    expect(found.every(({ weight }, at) => weight > 0 && weight <= (found[at - 1]?.weight ?? 1))).toBe(true);
  });

  it('rank the title before the lead before prose before boilerplate', () => {
    const text = 'alpha\n\nbravo\n\ncharlie\n\n```\ndelta\n```\n\n### Environment\n\necho';
    const own = keywords(text).filter((word) => word !== 'environment');
    expect(own).toEqual(['alpha', 'bravo', 'charlie', 'delta', 'echo']);
  });

  it('count what comes again, and names more than words', () => {
    expect(keywords('upload\n\nfirst second second')[1]).toBe('second');
    expect(keywords('word `name` of')[0]).toBe('name');
  });

  it('hold the parts of names', () => {
    const found = keywords('parseHTTPHeaders fails');
    expect(found).toEqual(expect.arrayContaining(['parsehttpheaders', 'parse', 'http', 'headers', 'fails']));
    expect(found.indexOf('parsehttpheaders')).toBeLessThan(found.indexOf('http'));
  });

  it('take scripts without spaces in pairs', () => {
    expect(keywords('修复登录')).toEqual(['修复', '复登', '登录']);
    expect(keywords('修复 parser 错误')).toEqual(expect.arrayContaining(['修复', 'parser', '错误']));
  });

  it('leave German, French and Spanish stop words out', () => {
    expect(keywords('Behebe den Fehler in der Anmeldung').sort()).toEqual(['anmeldung', 'behebe', 'fehler']);
    expect(keywords('corriger le calcul dans la facture').sort()).toEqual(['calcul', 'corriger', 'facture']);
    expect(keywords('arreglar el cálculo de la factura').sort()).toEqual(['arreglar', 'cálculo', 'factura']);
  });

  it.each(['', ' ', 'the', 'a the of', '42', '***'])('none in %j', (text) =>
    expect(keywords(text)).toEqual([]),
  );
});

describe('domains', () => {
  const context = {
    domains: new Map([
      ['billing', ['services/billing/', 'libs/money']],
      ['identity', ['services/auth']],
    ]),
    packages: ['packages/http-client', 'packages/core', 'django'],
  };

  it.each<[string, string[]]>([
    ['Fix services/auth/token.ts', ['identity']],
    ['Fix libs/money/round.ts and services/auth/token.ts', ['billing', 'identity']],
    ['Fix /home/me/repo/services/billing/tax.py:3', ['billing']],
    ['django.db.models.query drops rows', ['django']],
    ['core: drop rows', ['packages/core']],
    ['The billing page is wrong', ['billing']],
    ['The http-client hangs', ['packages/http-client']],
    ['Fix packages/core/a.ts of billing', ['packages/core', 'billing']],
    ['Fix the colours', []],
    ['Fix services/authors/x.ts', []],
  ])('%s', (text, expected) => expect(analyzeTask(text, context).domains).toEqual(expected));

  it('are none without a context', () => expect(analyzeTask('Fix src/a.ts').domains).toEqual([]));
});

describe('words between backticks', () => {
  const marked = (text: string) =>
    analyzeTask(text)
      .words.filter(({ isCode }) => isCode)
      .map(({ word }) => word);

  it('are marked as names when few stand together in a sentence', () => {
    expect(marked('Make `take until` stop\n\nwhile `each` goes on')).toEqual(['take', 'until', 'each']);
  });

  it('are not marked in a statement, in a code block or without backticks', () => {
    expect(marked('Do not take it until then')).toEqual([]);
    expect(marked('It is `if x then return y else z` here')).toEqual([]);
    expect(marked('Title\n\n```\necho `each`\n```')).toEqual([]);
  });
});
