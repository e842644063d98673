import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTemplateEngine } from './template-engine.ts';

interface JinjaCases {
  readonly data: object;
  readonly cases: readonly {
    readonly source: string;
    readonly included: string;
    readonly output: string;
    /** The result of our engine, where it differs. */
    readonly ours?: string;
  }[];
}

/** Random templates with what Jinja2 3.1.6 made of them (strict, sandboxed, trim_blocks, lstrip_blocks). */
const recorded = JSON.parse(
  readFileSync(new URL('./jinja-cases.json', import.meta.url), 'utf8'),
) as JinjaCases;

describe('templates give the same text as in Jinja', () => {
  it.each(recorded.cases)('$source', ({ source, included, output, ours }) => {
    const engine = createTemplateEngine(
      new Map([
        ['main', source],
        ['inc', included],
      ]),
    );
    expect(engine.render('main', recorded.data)).toBe(ours ?? output);
  });

  it('apart from white space at the start of raw text', () => {
    const different = recorded.cases.filter(({ ours }) => ours !== undefined);
    expect(different).toHaveLength(9);
    for (const { source, output, ours } of different) {
      expect(source).toContain(' raw ');
      expect(ours!.replaceAll(/\s/g, '')).toBe(output.replaceAll(/\s/g, ''));
    }
  });
});
