import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runScan } from '../../../src/scan/run-scan.ts';
import { answersOf, codesOf, PATIENT, scanInProcess, settingsFor } from '../../support/scan-kit.ts';
import { temporaryRepository } from '../../support/temporary-repository.ts';

/** Until times of change say something, see `RACY_MS`. */
const SETTLED_MS = 2_200;

const FILES = {
  'a.ts': 'export const a = 1;\n',
  'src/b.ts': "import { a } from '../a';\nexport const b = a;\n",
  'src/deep/c.py': 'def c():\n    return 1\n',
  'src/hidden.ts': 'export const hidden = 1;\n',
  'logo.png': 'not really',
  tool: '#!/usr/bin/env python3\nprint(1)\n',
  'gen.ts': 'export const gen = 1;\n',
  '.gitattributes': 'gen.ts linguist-generated\n',
  '.gitignore': 'out/\n',
};

type Git = (...words: string[]) => unknown;
type Step = (at: (path: string) => string, git: Git) => void;

/** One after the other, in one repository. */
const STEPS: Readonly<Record<string, Step>> = {
  nothing: () => {},
  'an edit': (at) => appendFileSync(at('a.ts'), 'export const more = 2;\n'),
  'still the same edit': () => {},
  'an edit taken back': (at) => writeFileSync(at('a.ts'), FILES['a.ts']),
  'an edit of an untracked file': (at) => appendFileSync(at('new.ts'), 'export const x = 2;\n'),
  'an edit that git does not see': (at) => appendFileSync(at('src/hidden.ts'), 'export const y = 2;\n'),
  'an edit of a file with attributes': (at) => appendFileSync(at('gen.ts'), 'export const z = 2;\n'),
  'a time alone': (at) => utimesSync(at('src/b.ts'), 1, 1),
  'a mode': (at) => chmodSync(at('tool'), 0o755),
  'another first line': (at) => writeFileSync(at('tool'), '#!/bin/sh\necho 1\n'),
  'a file that goes': (at) => rmSync(at('src/deep/c.py')),
  'a file that comes back': (_, git) => git('checkout', '--', 'src/deep/c.py'),
  'a new file': (at) => writeFileSync(at('src/deep/d.py'), 'def d():\n    return 2\n'),
  'a staged file': (_, git) => git('add', 'src/deep/d.py'),
  'a file that moves': (at) => renameSync(at('src/deep/d.py'), at('src/deep/e.py')),
  'a folder in place of a file': (at) => {
    rmSync(at('a.ts'));
    mkdirSync(at('a.ts'));
    writeFileSync(at('a.ts/x.ts'), '');
  },
  'a file in place of the folder': (at, git) => {
    rmSync(at('a.ts'), { recursive: true });
    git('checkout', '--', 'a.ts');
  },
  'a link in place of a file': (at) => {
    rmSync(at('src/b.ts'));
    symlinkSync('../a.ts', at('src/b.ts'));
  },
  'a link in place of a folder': (at) => {
    renameSync(at('src/deep'), at('out'));
    symlinkSync('../out', at('src/deep'));
  },
  'the folder again': (at) => {
    rmSync(at('src/deep'));
    renameSync(at('out'), at('src/deep'));
  },
  'a pipe': (at) => execFileSync('mkfifo', [at('src/pipe.ts')]),
  'no pipe': (at) => rmSync(at('src/pipe.ts')),
  'other attributes': (at) => writeFileSync(at('.gitattributes'), 'a.ts linguist-generated\n'),
  'attributes beside the repository': (at) => {
    mkdirSync(at('.git/info'), { recursive: true });
    writeFileSync(at('.git/info/attributes'), 'a.ts -linguist-generated\n');
  },
  'a rule of ours': (at) => writeFileSync(at('.loadoutignore'), 'gen.ts\n'),
  'another rule of ours': (at) => writeFileSync(at('.loadoutignore'), 'a.ts\n'),
  'no rule of ours': (at) => rmSync(at('.loadoutignore')),
  'a rule of git': (at) => appendFileSync(at('.gitignore'), 'new.ts\n'),
  'a rule of the user': (at) => writeFileSync(at('.git/info/exclude'), 'e.py\n'),
  'a commit': (_, git) => git('commit', '--quiet', '--all', '--message', 'all'),
  'the commit before': (_, git) => git('checkout', '--quiet', 'HEAD~1'),
};

it('gives the same result as a full scan when git reports an unchanged list of files', PATIENT, async () => {
  const { path, cache, home, git } = temporaryRepository(FILES);
  const at = (name: string) => join(path, name);
  writeFileSync(at('new.ts'), 'export const fresh = 1;\n');
  git('update-index', '--assume-unchanged', 'src/hidden.ts');
  (await scanInProcess({ path, cache })).index.close();
  await pause(SETTLED_MS);
  (await scanInProcess({ path, cache })).index.close();
  for (const [name, change] of Object.entries(STEPS)) {
    change(at, git);
    const found = await scanInProcess({ path, cache });
    // looks at every file, and asks git for all of its list
    const settings = settingsFor(join(home, 'other'));
    const fresh = await runScan({ repo: path, mode: 'incremental', verify: true, settings });
    expect(codesOf(found), name).toEqual(codesOf(fresh));
    expect(answersOf(found), name).toEqual(answersOf(fresh));
  }
});

it('keeps the list as the very same one while nothing changes', PATIENT, async () => {
  const { path, cache } = temporaryRepository(FILES);
  (await scanInProcess({ path, cache })).index.close();
  await pause(SETTLED_MS);
  // the first one to trust the times of change writes them down
  (await scanInProcess({ path, cache })).index.close();
  const { repository, index } = await scanInProcess({ path, cache });
  const [name = ''] = repository.cache.list().filter((one) => one.endsWith('.snapshot'));
  expect(repository.store.load(name)).toEqual(index.snapshot);
  expect(index.snapshot.basis).toMatchObject({ gitIndex: repository.git?.indexState(), modified: [] });
  index.close();
});
