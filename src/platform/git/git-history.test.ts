import { describe, expect, it } from 'vitest';
import { gitRepository } from '../../../test/security/support/git-repository.ts';
import { openClient } from '../../../test/security/support/open-client.ts';
import { parseCommitChanges, parseCommitObjects, parseListedCommits } from './git-history.ts';

const ID = 'a'.repeat(40);
const OTHER = 'b'.repeat(64);

describe('what git prints about commits', () => {
  it('is read as far as it goes', () => {
    expect(parseListedCommits(Buffer.from(`${ID} ${OTHER}\n${OTHER}\n${ID.slice(5)}`))).toEqual([
      { id: ID, parents: [OTHER] },
      { id: OTHER, parents: [] },
    ]);
    const object = `tree ${ID}\nparent ${OTHER}\nencoding X\ngpgsig a\n parent no\n\nmessage\n\nend`;
    const whole = `${ID} commit ${object.length}\n${object}\n`;
    const found = [{ id: ID, parents: [OTHER], encoding: 'X', message: Buffer.from('message\n\nend') }];
    expect(parseCommitObjects(Buffer.from(`${OTHER} missing\n${whole}${whole.slice(0, -1)}`))).toEqual(found);
    expect(parseCommitObjects(Buffer.from(`${ID} commit 5\ntree \n`))).toMatchObject([{ parents: [] }]);
  });

  it.each(['x', '-9', '0x10', '1e1', '', '12three'])(
    'ends where the size of a commit is %j, not in a circle',
    (size) => {
      const object = `tree ${ID}\n\nmessage`;
      const whole = `${ID} commit ${object.length}\n${object}\n`;
      const commits = parseCommitObjects(Buffer.from(`${whole}${OTHER} commit ${size}\n${object}\n${whole}`));
      expect(commits.map(({ id }) => id)).toEqual([ID]);
    },
  );

  it('does not take a file for a commit because of its name', () => {
    const output = [ID, 'M', OTHER, 'R087', 'M', 'R', OTHER, ID, 'A', 'x\ny', 'D', ''].join('\0');
    expect([...parseCommitChanges(Buffer.from(output))]).toEqual([
      [
        ID,
        [
          { kind: 'modified', path: OTHER, from: null },
          { kind: 'renamed', path: 'R', from: 'M' },
        ],
      ],
      [OTHER, []],
      [ID, [{ kind: 'added', path: 'x\ny', from: null }]],
    ]);
    expect([...parseCommitChanges(Buffer.alloc(0))]).toEqual([]);
  });
});

describe('GitHistory', () => {
  it('lists, reads and compares commits', async () => {
    const { path, git } = gitRepository({ 'a.ts': '1', 'b.ts': '2' });
    git('rm', '--quiet', 'a.ts');
    git('commit', '--quiet', '--message=Remove a');
    const { history } = await openClient(path);
    const head = git('rev-parse', 'HEAD').trim();
    const { commits, failure } = await history.list(head, 10);
    expect(failure).toBeNull();
    expect(commits.map(({ id }) => id)).toEqual([head, git('rev-parse', 'HEAD~').trim()]);
    const objects = await history.objects([commits[0]!.id, 'c'.repeat(40)]);
    expect(objects.map(({ message }) => message.toString())).toEqual(['Remove a\n']);
    const seen: unknown[] = [];
    await history.changes(commits, (id, changes) =>
      seen.push(
        id,
        changes.map(({ kind }) => kind),
      ),
    );
    expect(seen).toEqual([head, ['deleted'], commits[1]!.id, ['added', 'added']]);
  });
});
