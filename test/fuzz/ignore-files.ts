import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSafeRoot, type SafeRoot } from '../../src/platform/fs/safe-root.ts';
import { discoverFiles } from '../../src/scan/discover/discover-files.ts';
import { createIgnoreFilter } from '../../src/scan/discover/rule-files.ts';
import { detectLanguage, isTestPath } from '../../src/scan/parse/detect-language.ts';
import { FILES, type FuzzWorld } from './environment.ts';
import { fuzzClass } from './fuzz-class.ts';
import { type Grammar, mutate } from './mutate.ts';

const PLACES = [
  '.gitignore',
  'src/.gitignore',
  'src/auth/.gitignore',
  '.loadoutignore',
  'src/.loadoutignore',
  '.git/info/exclude',
  '../.gitconfig',
  '../.config/git/ignore',
] as const;

const GRAMMAR: Grammar = {
  examples: [
    'build/\n*.log\n!keep.log\n',
    '# packages\n/node_modules\n**/dist/**\ndocs/*.md\n!docs/guide.md\n',
    'src/*\n!src/auth\n!src/auth/**\n',
    '[[:alpha:]]*.ts\n[!a-f]?.py\n\\#hash\n\\!bang\ntrailing\\ \n',
    '*\n!*/\n!*.md\n',
    '\ufeff*.ts\r\n!http.ts\r\n',
    '[core]\n\texcludesFile = ~/.config/git/ignore\n',
    `[core]\nexcludesfile = "@ROOT@/.gitignore"\n[include]\npath = @OUTSIDE@/canary\n`,
  ],
  words: [
    ...[
      '*',
      '**',
      '?',
      '/',
      '**/',
      '/**',
      '[a-z]',
      '[!a]',
      '[[:digit:]]',
      '[[:nope:]]',
      '[',
      ']',
      '\\',
      '!',
      '#',
      ' ',
    ],
    ...[
      'src',
      'auth',
      'token.ts',
      '*.ts',
      'linked',
      'canary-link.ts',
      '.git',
      '../',
      '{a,b}',
      '@(a)',
      '[core]',
    ],
    ...['excludesFile = @OUTSIDE@/canary', '~/'],
  ],
  brackets: [
    ['[', ']'],
    ['**/', ''],
    ['*a', '*b'],
    ['a/', '/*'],
    ['!', ''],
    ['\\', '\\'],
  ],
};

interface State {
  readonly environment: FuzzWorld;
  readonly root: SafeRoot;
}

const OPTIONS = { include: [], exclude: [], maxFileBytes: 1_000_000, maxFiles: 10_000 };

/** A line with the name of an ignore file, then its content. */
export const ignoreFiles = fuzzClass<State>({
  setUp: async (environment) => {
    // without a git program the walk reads by itself what git would tell it
    process.env.PATH = '';
    return { environment, root: openSafeRoot(environment.repository) };
  },
  generate: (random) => Buffer.concat([Buffer.from(`${random.pick(PLACES)}\n`), mutate(random, GRAMMAR)]),
  async run({ environment, root }, input) {
    const end = input.indexOf(10);
    const place = input.subarray(0, end).toString('utf8');
    const bytes = input.subarray(end + 1);
    environment.write(place, bytes);
    try {
      const detect = (path: string, head?: string) => {
        const language = detectLanguage(path, head ?? '');
        return language && { id: language.id, kind: language.kind, isTest: isTestPath(path, language) };
      };
      const { files, diagnostics } = await discoverFiles(root, null, detect as never, OPTIONS);
      const isLeftOut = createIgnoreFilter(root, '.gitignore', () => true);
      const shown = files.map(({ path }) => {
        const read = root.read(path, 100_000);
        return `${path} ${isLeftOut(path, false)} ${read.kind === 'content' ? read.bytes.toString('latin1') : read.reason}`;
      });
      return JSON.stringify([shown, diagnostics]);
    } finally {
      if (place in FILES) environment.write(place, FILES[place]!);
      else rmSync(join(environment.repository, place), { force: true });
    }
  },
});
