import { describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../fit/index.ts';
import { findConventions } from './conventions.ts';
import type { SourceReader } from './source.ts';

const count = await loadTokenCounter();

function conventionsOf(files: Readonly<Record<string, string>>, room = 300, allow = (_: string) => true) {
  const sources = {
    fileAt: (path: string) => (path in files ? { segment: 0 } : undefined),
    read: (path: string) => ({ text: files[path] }),
  } as unknown as SourceReader;
  return findConventions(sources, allow, room, count);
}

const RULES = '# Rules\n\n- Run `npm test` before a commit.\n- Never use `any`.';
const filler = (words: number) =>
  Array.from({ length: words }, (_, at) => `The project has a long story ${at}.\n\n`).join('');

describe('findConventions', () => {
  it('takes a short text as it is', () => {
    expect(conventionsOf({ 'AGENTS.md': '# Rules\n- Use tabs.\n' })).toEqual([
      { path: 'AGENTS.md', text: '# Rules\n- Use tabs.', cut: false },
    ]);
  });

  it('takes commands and rules out of a long text, in whole lines and in their order', () => {
    const commands = '## Build\n\n```bash\n# all of it\nmake build\nmake check\n```\n\n';
    const [found] = conventionsOf({
      'AGENTS.md': `# Guide\n\n${filler(60)}${commands}${RULES}\n- Tests must pass. For example:\n\n${filler(60)}`,
    });
    expect(found).toEqual({
      path: 'AGENTS.md',
      cut: true,
      text: [
        '## Build\n```bash\nmake build\nmake check\n```\n',
        '# Rules\n- Run `npm test` before a commit.\n- Never use `any`.\n- Tests must pass.',
      ].join('\n'),
    });
  });

  it('stays inside its room, whatever it is', () => {
    const text = `${RULES}\n${Array.from({ length: 99 }, (_, at) => `- Always keep rule ${at} in mind.`).join('\n')}`;
    for (const room of [0, 50, 64, 100, 300, 900]) {
      const found = conventionsOf({ 'AGENTS.md': text }, room);
      expect(found.reduce((sum, one) => sum + count(one.text), 0)).toBeLessThanOrEqual(room);
      for (const line of found.flatMap((one) => one.text.split('\n')))
        expect(text.split('\n')).toContain(line);
    }
    expect(conventionsOf({ 'AGENTS.md': text }, 0)).toEqual([]);
  });

  it('gives the same rules once', () => {
    const files = {
      'AGENTS.md': RULES,
      'CLAUDE.md': `${RULES}\n- Answer in English only.`,
      'GEMINI.md': '@AGENTS.md\n',
    };
    expect(conventionsOf(files).map(({ path, text }) => [path, text])).toEqual([
      ['AGENTS.md', '# Rules\n- Run `npm test` before a commit.\n- Never use `any`.'],
      ['CLAUDE.md', '# Rules\n- Answer in English only.'],
    ]);
    expect(conventionsOf({ 'AGENTS.md': RULES, 'CLAUDE.md': RULES })).toHaveLength(1);
  });

  it('has no agreements, badges, tables of contents and comments', () => {
    const text = `<!-- Copyright of all -->
[![build](https://x/badge.svg)](https://x)

## Table of contents

- [Rules](#rules)

## Style

- Use two spaces. You should.

## Contributor License Agreement

You must sign it.

### How to sign

Always use a pen.

## Commits

All contributions are under copyright of you and must be yours.

- Sign off with \`git commit -s\` for the DCO.
`;
    expect(conventionsOf({ 'CONTRIBUTING.md': text })[0]?.text).toBe(
      '## Style\n- Use two spaces. You should.\n\n## Commits\n- Sign off with `git commit -s` for the DCO.',
    );
    const agreement = Array.from({ length: 8 }, () => 'You hereby grant a royalty-free licence.\n\n').join(
      '',
    );
    expect(conventionsOf({ 'CONTRIBUTING.md': `${agreement}# Definitions\n\nYou must agree.` })).toEqual([]);
  });

  it('reads what is for people only where nothing is for agents, and nothing that is kept out', () => {
    const files = { 'AGENTS.md': RULES, 'CONTRIBUTING.md': '## Tests\n\n- Always run `make test`.' };
    expect(conventionsOf(files).map(({ path }) => path)).toEqual(['AGENTS.md']);
    const allow = (path: string) => path !== 'AGENTS.md';
    expect(conventionsOf(files, 300, allow).map(({ path }) => path)).toEqual(['CONTRIBUTING.md']);
  });
});
