import { describe, expect, it } from 'vitest';
import { classify } from '../../discover/classify.ts';
import { detectLanguage, isTestPath } from '../detect-language.ts';
import { PLAIN_LANGUAGES } from './plain-languages.ts';
import { LANGUAGES } from './table.ts';

function roleOf(path: string): string {
  const language = detectLanguage(path, null);
  return classify(path, 500, language?.kind ?? null, isTestPath(path, language)).role;
}

describe('languages without a grammar', () => {
  it('claim no ending that another language has', () => {
    const endings = LANGUAGES.flatMap(({ extensions }) => extensions);
    expect(endings.filter((ending, at) => endings.indexOf(ending) !== at)).toEqual([]);
    const ids = LANGUAGES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are written as endings are compared: with a dot, in lower case', () => {
    for (const { extensions } of PLAIN_LANGUAGES)
      for (const extension of extensions) expect(extension).toMatch(/^\.[a-z0-9]+$/);
  });

  it.each([
    ['promql/parser/generated_parser.y', 'source'],
    ['lib/Mojo/Base.pm', 'source'],
    ['t/mojo/base.t', 'test'],
    ['Sources/AFHTTPClient.m', 'source'],
    ['Tests/AFHTTPClientTests.m', 'test'],
    ['modules/vpc/main.tf', 'source'],
    ['api/v1/service.proto', 'source'],
    ['src/boot.S', 'source'],
    ['R/plot.R', 'source'],
    ['test/Token.t.sol', 'test'],
    ['apps/web/test/web_SUITE.erl', 'test'],
    ['flake.nix', 'config'],
    ['src/guide.rst', 'docs'],
    ['charts/app/templates/_helpers.tpl', 'source'],
  ])('%s is %s', (path, role) => {
    expect(roleOf(path)).toBe(role);
  });
});
