import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { loadGuidelines, readGuidelineFile } from './guideline-places.ts';

const RULE = { id: 'a', name: 'A', action: { type: 'instruction', instruction: 'Do it.' } };

describe('a guideline file', () => {
  it('is JSON or YAML, one guideline or a list, and missing fields have defaults', async () => {
    const yaml =
      'guidelines:\n  - id: a\n    name: A\n    action: {type: instruction, instruction: Do it.}\n';
    for (const [text, name] of [
      [JSON.stringify(RULE), 'a.json'],
      [JSON.stringify({ $schema: './guideline.schema.json', ...RULE }), 'a.json'],
      [yaml, 'a.yaml'],
    ] as const) {
      const { guidelines, problems } = await readGuidelineFile(text, name);
      expect(problems).toEqual([]);
      expect(guidelines).toMatchObject([
        { id: 'a', enabled: true, priority: 500, condition: { agents: [] } },
      ]);
    }
  });

  it.each([
    [{ ...RULE, id: 'No Spaces' }, 'a.json:2:9: id: expected a name of small letters, digits, - and _'],
    [{ ...RULE, priority: 1001 }, 'priority: expected a whole number from 0 to 1000, got 1001'],
    [{ ...RULE, prioritty: 1 }, 'prioritty: expected no field of this name (did you mean "priority"?)'],
    [{ ...RULE, action: { type: 'forbid' } }, 'action.type: expected one of instruction, tool_restriction'],
    [{ ...RULE, action: 'x' }, 'action: expected an object with a type, got "x"'],
    [{ ...RULE, action: { type: 'tool_restriction', instruction: 'x' } }, 'action.tools: expected'],
    [{ ...RULE, condition: { paths: ['../x'] } }, 'condition.paths[0]: expected a pattern'],
    [{ ...RULE, condition: { agents: 'backend' } }, 'condition.agents: expected a list'],
    [[], 'expected an object'],
  ])('%j is refused with its position and the allowed values', async (value, message) => {
    const { guidelines, problems } = await readGuidelineFile(JSON.stringify(value, null, 2), 'a.json');
    expect(guidelines).toEqual([]);
    expect(problems.join('\n')).toContain(message);
    expect(problems[0]).toMatch(/^a\.json:\d+:\d+: /);
  });

  it('one bad guideline of a list does not affect the others', async () => {
    const text = JSON.stringify({ guidelines: [{ id: 'x' }, RULE] });
    const { guidelines, problems } = await readGuidelineFile(text, 'a.json');
    expect(guidelines.map(({ id }) => id)).toEqual(['a']);
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe('places', () => {
  function setUp() {
    const home = mkdtempSync(join(tmpdir(), 'loadout-guidelines-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const write = (path: string, value: unknown) => {
      mkdirSync(join(home, path, '..'), { recursive: true });
      writeFileSync(join(home, path), typeof value === 'string' ? value : JSON.stringify(value));
    };
    mkdirSync(join(home, 'repo'));
    const load = () =>
      loadGuidelines({ repository: openSafeRoot(join(home, 'repo')), userDirectory: join(home, 'user') });
    return { home, write, load };
  }

  it('the user overrides the repository, and the repository overrides the built-in guidelines', async () => {
    const { write, load } = setUp();
    const id = 'review-changes-nothing';
    const placeOf = async () => (await load()).guidelines.find(({ guideline }) => guideline.id === id)?.place;
    expect(await placeOf()).toBe('built-in');
    write(`repo/.loadout/guidelines/${id}.json`, { ...RULE, id, enabled: false });
    expect(await placeOf()).toBe('repository');
    write('user/guidelines/own.yaml', JSON.stringify({ ...RULE, id }));
    expect(await placeOf()).toBe('user');
  });

  it('a file that is not a guideline, is too large or is a link is reported and left out', async () => {
    const { home, write, load } = setUp();
    write('repo/.loadout/guidelines/bad.json', '{');
    write('repo/.loadout/guidelines/large.json', ' '.repeat(300_000));
    write('outside.json', RULE);
    symlinkSync(join(home, 'outside.json'), join(home, 'repo/.loadout/guidelines/link.json'));
    write('repo/.loadout/guidelines/notes.txt', 'not ours');
    const { guidelines, diagnostics } = await load();
    expect(guidelines.every(({ place }) => place === 'built-in')).toBe(true);
    const said = diagnostics.map(({ message }) => message).join('\n');
    for (const name of ['bad.json', 'large.json', 'link.json']) expect(said).toContain(name);
    expect(said).not.toContain('notes.txt');
  });
});
