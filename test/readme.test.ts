import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../site/anchor.mjs';
import { LANGUAGES } from '../src/scan/parse/languages/table.ts';
import { buildProgram } from '../src/surfaces/cli/build-program.ts';
import type { CliIo } from '../src/surfaces/cli/command.ts';
import { allCommands } from '../src/surfaces/cli/command-list.ts';
import { processIo } from '../src/surfaces/cli/main.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Our own pages; fixtures and the sample's pages are input for tests, the sample's links are checked as well. */
const pages: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];

/** Every Markdown file that is tracked or about to be, but those that are input for tests. */
const linkedPages: readonly string[] = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '*.md'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\0')
  .filter((path) => path !== '' && !path.startsWith('test/fixtures/') && existsSync(join(root, path)));

/** A longer fence may hold shorter ones. */
const FENCE = /^(`{3,})(\w*)\n([\s\S]*?)^\1$/gm;

/** The page without its code blocks, where brackets are code and not links. */
const proseOf = (text: string): string => text.replace(FENCE, '');

function anchorsOf(path: string): ReadonlySet<string> {
  const headings = proseOf(read(path)).matchAll(/^#{1,6} (.+)$/gm);
  const seen = new Map<string, number>();
  return new Set(
    [...headings].map(([, heading]) => {
      const anchor = anchorOf(heading!);
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

/** Relative links of a page that lead nowhere. */
function brokenLinks(page: string, text: string): string[] {
  const broken: string[] = [];
  for (const [, target] of proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target!)) continue;
    const [file = '', anchor] = target!.split('#');
    const path = file === '' ? page : normalize(join(dirname(page), file));
    const leadsOut = path.startsWith('..');
    if (leadsOut || !existsSync(join(root, path))) broken.push(target!);
    else if (anchor !== undefined && !anchorsOf(path).has(anchor)) broken.push(target!);
  }
  return broken;
}

/** Command lines in shell blocks (after `$` where output is shown as well) and in code spans. */
function commandLines(text: string): string[] {
  const blocks = [...text.matchAll(FENCE)].flatMap(([, , label, block]) => {
    const lines = block!.split('\n');
    if (label === 'sh') return lines;
    return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
  });
  const spans = [...proseOf(text).matchAll(/`(loadout [^`]+)`/g)].map(([, span]) => span!);
  return [...blocks, ...spans].flatMap((line) => {
    const command = line.replace(/\s+#.*$/, '').trim();
    return /^(?:[A-Z_]+=\S+ )*(?:loadout|npx loadout|node bin\/loadout\.js)\b/.test(command) ? [command] : [];
  });
}

/** Splits like a shell, as far as our pages go: quotes, and a redirection or pipe ends the command. */
function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain!,
  );
  const start = words.findIndex((word) => /(?:^|\/)loadout(?:\.js)?$/.test(word));
  const end = words.findIndex((word) => /^[|<>]|^2>/.test(word));
  return words.slice(start + 1, end < 0 ? undefined : end);
}

/** Null when the command line is understood, else what is wrong with it. Nothing is run. */
async function whyNot(words: readonly string[]): Promise<string | null> {
  // Answered before the program is built, as the fastest of all calls.
  if (words.join(' ') === '--version') return null;
  const said: string[] = [];
  const sink = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      said.push(text);
      done();
    },
  });
  const io: CliIo = { ...processIo(), stdout: sink, stderr: sink };
  const program = buildProgram(await allCommands(), io, async () => {});
  try {
    await program.parseAsync([...words], { from: 'user' });
    return null;
  } catch (error) {
    return (error as { exitCode?: number }).exitCode === 0 ? null : said.join('') || String(error);
  }
}

describe('the first two commands of the README', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

  it.each(['start', 'test'])('npm %s', (name) => {
    expect(read('README.md')).toContain(`npm ci && npm ${name}`);
    expect(scripts).toHaveProperty(name);
    const [, script] = /^node (\S+)$/.exec(scripts[name]!) ?? [];
    expect(existsSync(join(root, script ?? 'missing'))).toBe(true);
  });

  it('every npm script that a page names exists', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, one]) => one!),
    );
    expect(named.filter((one) => !Object.hasOwn(scripts, one))).toEqual([]);
  });
});

describe('links between pages', () => {
  it('are looked at in all of them', () => {
    expect(pages.filter((page) => !linkedPages.includes(page))).toEqual([]);
    expect(linkedPages).toContain('test/clients/README.md');
  });

  it('lead to every page of docs/ from its first page, which is the navigation of the site', () => {
    const listed = ['docs/README.md', 'docs/adr/README.md'].flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#\s]+\.md)\)/g)].map(([, to]) => normalize(join(dirname(page), to!))),
    );
    const missing = pages.filter((page) => page.startsWith('docs/') && !listed.includes(page));
    expect(missing).toEqual(['docs/README.md']);
  });

  it.each(linkedPages)('%s', (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  });

  it('are distinguished from broken links', () => {
    const text = '# A b\n[x](#a-b) [y](#c) [z](LICENSE) [n](none.md) [o](../x)\n```\n[q](gone)\n```\n';
    expect(brokenLinks('README.md', text)).toEqual(['#a-b', '#c', 'none.md', '../x']);
  });
});

describe('command lines on pages', () => {
  const shown = pages.flatMap((page) => commandLines(read(page)).map((line) => [page, line] as const));

  it('are found', () => {
    const inReadme = shown.filter(([page]) => page === 'README.md').map(([, line]) => line);
    expect(inReadme).toContain('loadout map --budget 8k');
    expect(inReadme).toContain('loadout doctor');
  });

  it.each(shown)('%s: %s', async (_page, line) => {
    expect(await whyNot(wordsOf(line))).toBeNull();
  });

  it.each(['loadout mpa', 'loadout map --bugdet 8k', 'loadout scan --interval'])(
    '%s is refused',
    async (line) => {
      expect(await whyNot(wordsOf(line))).not.toBeNull();
    },
  );
});

describe('docs/guides/languages.md', () => {
  const page = read('docs/guides/languages.md');

  it.each(LANGUAGES)('has a row for $id', ({ id, extensions }) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${id}\` |`));
    expect(row).toBeDefined();
    expect(extensions.filter((extension) => !row!.includes(`\`${extension}\``))).toEqual([]);
  });

  it('names no language that is gone', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, id]) => id);
    expect(rows.filter((id) => !LANGUAGES.some((language) => language.id === id))).toEqual([]);
  });
});
