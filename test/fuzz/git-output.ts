import { readChange } from '../../src/context/compose/change.ts';
import { openSafeRoot, type SafeRoot } from '../../src/platform/fs/safe-root.ts';
import type { GitClient } from '../../src/platform/git/git.ts';
import { gitHistory } from '../../src/platform/git/git-history.ts';
import { parseAttributes, parseTrackedFiles, splitNul } from '../../src/platform/git/git-runner.ts';
import type { ProcessResult } from '../../src/platform/process/process-runner.ts';
import { discoverFiles } from '../../src/scan/discover/discover-files.ts';
import { readCommits } from '../../src/scan/history/load-history.ts';
import { linksLeadingOut, readPatch } from '../../src/workers/finish-run.ts';
import type { FuzzWorld } from './environment.ts';
import { fuzzClass } from './fuzz-class.ts';
import { asBytes, fromBytes, mutate } from './mutate.ts';

/** Questions to git, each with an answer in git's form; `B` means a blob, `C` and `D` mean commits. */
const B = '3b18e512dba79e4c8300dd08aeb37f8e728b8dad';
const C = '8f94139338f9404f26296befa88755fc2598c289';
const D = 'c3f8d1e0b6a7459a1c2e3f405162738495a6b7c8';
const FIRST = `tree ${B}\nauthor T <t@example.org> 1600000000 +0000\n\nBegin\n`;
const COMMIT = `tree ${B}\nparent ${D}\nauthor T <t@example.org> 1700000000 +0000\nencoding latin1\n\nRefresh the token\n`;
const ANSWERS: Readonly<Record<string, string>> = {
  'ls-files -s': `H 100644 ${B} 0\tsrc/http.ts\0H 100755 ${B} 0\tREADME.md\0H 120000 ${B} 0\tcanary-link.ts\0S 160000 ${B} 0\tlinked\0h 100644 ${B} 2\tdocs/guide.md\0`,
  'ls-files --others': 'new.ts\0nested/\0src/auth/token.ts\0',
  'diff-files --name-only': 'src/http.ts\0',
  'check-attr': 'src/http.ts\0linguist-generated\0set\0README.md\0diff\0unset\0',
  'rev-list': `${C} ${D}\n${D}\n`,
  'cat-file --batch': `${C} commit ${COMMIT.length}\n${COMMIT}\n${D} commit ${FIRST.length}\n${FIRST}\n${B} missing\n`,
  'diff-tree --name-status': `${C}\0M\0src/http.ts\0R100\0old.ts\0new.ts\0${D}\0A\0README.md\0`,
  '--numstat': '1\t2\tsrc/http.ts\0-\t-\timage.png\x003\t0\t\0old name.ts\0new name.ts\0',
  '--patch':
    'diff --git a/src/http.ts b/src/http.ts\nindex 1..2 100644\n--- a/src/http.ts\n+++ b/src/http.ts\n@@ -1,2 +1,3 @@ f\n a\n-b\n+c\n+d\ndiff --git a/image.png b/image.png\nBinary files differ\ndiff --git a/old name.ts b/new name.ts\nsimilarity index 90%\n@@ -3 +3 @@\n-x\n+y\n',
  'diff-tree -p': `:100644 100644 ${B} ${B} M\0src/http.ts\0:000000 120000 ${B} ${B} A\0link\0\0diff --git a/src/http.ts b/src/http.ts\n`,
  'ls-tree': `100644 blob ${B}\tsrc/http.ts\x00120000 blob ${B}\tlink\x00120000 blob ${B}\tlink2\0`,
  'cat-file sizes': '10\n../canary.t\n5\nlink/\n',
};
const KINDS = Object.keys(ANSWERS);
const WORDS = [
  ...[
    '\0',
    '\0\0',
    '\t',
    '\n',
    ' ',
    B,
    C,
    D,
    'H 100644 ',
    'S 120000 ',
    ' 0\t',
    ' 2\t',
    'commit',
    'missing',
    'blob',
    'tree',
  ],
  ...[
    'diff --git a/x b/x\n',
    '@@ -1 +1 @@',
    '@@ -1,9 +99999999999999999999,9 @@',
    'R100',
    'R',
    'T',
    'set',
    'unset',
  ],
  ...[
    'src/http.ts',
    'linked/canary.ts',
    '.git/config',
    ':120000 120000 ',
    'parent ',
    'encoding utf-16',
    '\n\n',
    '-1',
    '1e3',
  ],
];
const BRACKETS = [
  ['a/', ''],
  ['../', ''],
  ['\0', ''],
] as const;

function answering(stdout: Buffer): ProcessResult {
  return {
    exitCode: 0,
    signal: null,
    stdout,
    stderr: Buffer.alloc(0),
    outcome: 'exited',
    outputTruncated: false,
    omittedBytes: 0,
  };
}

/** Which answer a question gets. */
function kindOf(args: readonly string[]): string {
  const line = args.join(' ');
  if (line.includes('cat-file'))
    return line.includes('%(objectsize)') ? 'cat-file sizes' : 'cat-file --batch';
  if (line.includes('ls-tree')) return 'ls-tree';
  if (line.includes('rev-list')) return 'rev-list';
  if (line.includes('--numstat')) return '--numstat';
  if (line.includes('--patch')) return '--patch';
  return line.includes('--name-status') ? 'diff-tree --name-status' : 'diff-tree -p';
}

interface State {
  readonly environment: FuzzWorld;
  readonly root: SafeRoot;
}

const OPTIONS = { include: [], exclude: [], maxFileBytes: 1_000_000, maxFiles: 10_000 };

/** A line that names the question, then the answer to it; all other questions are answered as git would. */
export const gitOutput = fuzzClass<State>({
  setUp: async (environment) => ({ environment, root: openSafeRoot(environment.repository) }),
  generate: (random) => {
    const kind = random.pick(KINDS);
    const own = ANSWERS[kind]!;
    const other = ANSWERS[random.pick(KINDS)]!;
    const bytes = mutate(random, { examples: [own, own, own, other], words: WORDS, brackets: BRACKETS });
    return fromBytes(`${kind}\n${asBytes(bytes)}`);
  },
  async run({ environment, root }, input) {
    const end = input.indexOf(10);
    const kind = input.subarray(0, end).toString('utf8');
    const answer = (asked: string) =>
      asked === kind ? input.subarray(end + 1) : Buffer.from(ANSWERS[asked]!);
    const run = async (args: readonly string[]) => answering(answer(kindOf(args)));
    const history = gitHistory(
      Object.assign(run, { expectWork: () => {} }) as never,
      environment.repository,
      environment.repository,
    );
    const client: GitClient = {
      workTree: environment.repository,
      gitDirectory: `${environment.repository}/.git`,
      commonDirectory: `${environment.repository}/.git`,
      headAtOpening: C,
      history,
      head: async () => C,
      indexState: () => 'same',
      trackedFiles: async () => parseTrackedFiles(answer('ls-files -s')),
      untrackedFiles: async () => splitNul(answer('ls-files --others')),
      modifiedFiles: async () => splitNul(answer('diff-files --name-only')),
      changedSince: async () => splitNul(answer('diff-files --name-only')),
      attributes: async () => parseAttributes(answer('check-attr')),
      run,
    };
    environment.write('.gitattributes', '* linguist-generated\n');
    const listed = await discoverFiles(root, client, () => null, OPTIONS);
    const contents = listed.files.map(({ path }) => root.read(path, 10_000));
    const shown: unknown[] = [listed];
    for (const read of contents)
      shown.push(read.kind === 'content' ? read.bytes.toString('latin1') : read.reason);
    const { commits } = await history.list(C, 10);
    shown.push(await readCommits(history, commits));
    shown.push(await settled(readChange(client, environment.repository, { base: 'HEAD' })));
    const patch = await readPatch(client, C, D);
    shown.push(patch, await linksLeadingOut(client, D, patch.links));
    return JSON.stringify(shown);
  },
});

/** A refusal of one flow must not keep the others from being run. */
async function settled(flow: Promise<unknown>): Promise<unknown> {
  return flow.catch((error: { readonly code?: string; readonly message: string }) => {
    if (error.code === undefined) throw error;
    return error.message;
  });
}
