import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { TemplateError } from '../render/templates/template-error.ts';
import { openTemplates } from './prompt-templates.ts';

const DATA = { role: { name: 'r', system_prompt: 'You work.' }, task: 'Do it', context: 'FILES' };

/** A repository and a config directory with the given template files. */
function setUp(
  ofRepository: Readonly<Record<string, string>>,
  ofUser: Readonly<Record<string, string>> = {},
) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-templates-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  mkdirSync(join(base, 'repository/.loadout/templates'), { recursive: true });
  mkdirSync(join(base, 'config/templates'), { recursive: true });
  for (const [name, text] of Object.entries(ofRepository))
    write(`repository/.loadout/templates/${name}`, text);
  for (const [name, text] of Object.entries(ofUser)) write(`config/templates/${name}`, text);
  const open = (isTrusted = true) =>
    openTemplates({
      repository: { root: openSafeRoot(join(base, 'repository')), isTrusted },
      userDirectory: join(base, 'config'),
    });
  return { base, open };
}

describe('templates of the user and of trusted repositories', () => {
  it('extend and include the shipped ones and each other', () => {
    const { open } = setUp(
      {
        'short.j2':
          '{% extends "_base.j2" %}{% block content %}{% include "_head.j2" %}{{ task }}{% endblock %}',
      },
      { '_head.j2': '{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(role.name) }}' },
    );
    const text = open().render('short', DATA);
    expect(text).toMatch(/^<r>Do it/);
    expect(text).toContain('## Output Requirements');
    expect(open().render('short.j2', DATA)).toBe(text);
    expect(open().names).toEqual(['_base', 'implement', 'planning', 'review_strict', 'short']);
  });

  it('of the repository come before those of the user, once it is trusted', () => {
    const { open } = setUp({ 'a.j2': 'repository' }, { 'a.j2': 'user' });
    expect(open(true).render('a', DATA)).toBe('repository');
    expect(open(true).diagnostics('a')).toEqual([]);
    expect(open(false).render('a', DATA)).toBe('user');
    expect(open(false).diagnostics('a')).toEqual([
      {
        code: 'template-not-used',
        severity: 'warning',
        message:
          '.loadout/templates/a.j2 is not used: you have not trusted this repository; "loadout trust" shows what it asks for',
      },
    ]);
  });

  it('of a repository that is not trusted are refused, also as a part of others', () => {
    const { open } = setUp({ 'a.j2': 'hostile', '_part.j2': 'hostile' }, { 'b.j2': '{% include "_part" %}' });
    expect(() => open(false).render('a', DATA)).toThrow(
      'The template .loadout/templates/a.j2 is not used, because you have not trusted this repository',
    );
    expect(() => open(false).render('b', DATA)).toThrow('template b, line 1: Unknown template "_part"');
    expect(open(false).names).not.toContain('a');
  });

  it('cannot take the name of a shipped one', () => {
    const { open } = setUp({ 'implement.j2': 'hostile', '_base.j2': 'hostile' }, { 'planning.j2': 'mine' });
    for (const name of ['implement', 'planning', '_base']) {
      expect(open().render(name, DATA)).toContain('You work.');
      expect(open().diagnostics(name)[0]?.message).toContain(
        `${name} is the name of a template that comes with`,
      );
    }
  });

  it.each([
    ['a syntax error', 'fine\n{% if task %}\n', 'template a, line 2: syntax error'],
    [
      'an undefined name',
      'fine\n\n{{ tasks }}',
      'template a, line 3: "tasks" is undefined (did you mean task?)',
    ],
    [
      'an endless loop',
      '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}',
      'steps',
    ],
    ['a huge range', '{{ range(100000000)|join }}', 'range has too many elements'],
    [
      'an include of a path outside',
      '{% include "../../../etc/passwd" %}',
      'Unknown template "../../../etc/passwd"',
    ],
    ['an include of an absolute path', '{% include "/etc/passwd" %}', 'Unknown template "/etc/passwd"'],
    ['a template that extends itself', '{% extends "a.j2" %}', 'cycle in template inheritance'],
    [
      'code',
      '{{ role.constructor.constructor("return process.pid")() }}',
      'undefined has no method named constructor',
    ],
  ])('with %s give an error with name and line', (_, source, message) => {
    const { open } = setUp({ 'a.j2': source });
    expect(() => open().render('a', DATA)).toThrow(TemplateError);
    expect(() => open().render('a', DATA)).toThrow(message);
    expect(() => open().render('a', DATA)).toThrow(/template a, line \d+: /);
    expect(open().render('implement', DATA)).toContain('You work.');
  });

  it('are small text files with a plain name', () => {
    const { base, open } = setUp({
      'large.j2': 'x'.repeat(256 * 1024 + 1),
      'binary.j2': 'a\0b',
      'a b.j2': 'x',
      'page.html.j2': 'x',
      'notes.txt': 'x',
    });
    writeFileSync(join(base, 'secret.j2'), 'SECRET');
    symlinkSync(join(base, 'secret.j2'), join(base, 'repository/.loadout/templates/link.j2'));
    expect(open().names).toEqual(['_base', 'implement', 'planning', 'review_strict']);
    expect(() => open().render('large', DATA)).toThrow(
      'large.j2 cannot be used: it has more than 262144 bytes',
    );
    expect(() => open().render('binary', DATA)).toThrow('binary.j2 cannot be used: ');
    expect(() => open().render('link', DATA)).toThrow('link.j2 cannot be used: ');
    for (const name of ['a b', 'page.html', 'notes'])
      expect(() => open().render(name, DATA)).toThrow('Unknown template');
  });
});
