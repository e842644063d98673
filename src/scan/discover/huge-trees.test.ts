import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Discovery } from './discover-files.ts';
import {
  cpuMilliseconds,
  discoverByWalk,
  discoverWithGit,
  git,
  initRepository,
  pathsOf,
  temporaryTree,
  write,
} from './temporary-tree.test-kit.ts';

/** Planted by Perl, which is fast at it and may go deeper than a path can say. */
async function discoverPlanted(script: string): Promise<{ found: Discovery; cpu: number }> {
  const tree = temporaryTree();
  execFileSync('perl', ['-e', script], { cwd: tree });
  let found: Discovery | undefined;
  const cpu = await cpuMilliseconds(async () => {
    found = await discoverByWalk(tree);
  });
  // Node removes by path, which may be too long here.
  execFileSync('rm', ['-rf', tree]);
  if (found === undefined) throw new Error('nothing was discovered');
  return { found, cpu };
}

test('4,096 folders inside each other are walked down as far as the system can name them', async () => {
  const { found, cpu } = await discoverPlanted(
    'for my $i (1..4096) { mkdir "d"; chdir "d" or die; if ($i == 1000) { open(F, ">f.ts") or die } }',
  );
  expect(cpu).toBeLessThan(2_000);
  expect(pathsOf(found)).toEqual([`${'d/'.repeat(1_000)}f.ts`]);
  expect(found.diagnostics.map(({ code }) => code)).toEqual(['folder-unreadable']);
  expect(found.diagnostics[0]?.message.length).toBeLessThan(200);
});

test('50,000 files in one folder', async () => {
  const { found, cpu } = await discoverPlanted('for my $i (1..50000) { open(F, ">f$i.ts") or die; close F }');
  expect(found.files).toHaveLength(50_000);
  expect(cpu).toBeLessThan(4_000);
});

test('a name in the index that is longer than any path on disk holds nothing up', async () => {
  const tree = temporaryTree();
  initRepository(tree);
  write(tree, { 'a.ts': 'export {};\n' });
  const blob = git(tree, ['hash-object', '-w', 'a.ts']).toString().trim();
  const name = `${'deep/'.repeat(20_000)}a.ts`;
  git(tree, ['update-index', '--index-info'], `100644 ${blob}\t${name}\n100644 ${blob}\ta.ts\n`);
  let paths: readonly string[] = [];
  const spent = await cpuMilliseconds(async () => {
    paths = pathsOf(await discoverWithGit(tree));
  });
  expect(paths).toEqual(['a.ts']);
  expect(spent).toBeLessThan(1_000);
});
