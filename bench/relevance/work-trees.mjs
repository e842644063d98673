import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// line endings and large files as they are stored
const SETTINGS = [
  ...['-c', 'advice.detachedHead=false', '-c', 'core.autocrlf=false', '-c', 'gc.auto=0'],
  ...['-c', 'filter.lfs.smudge=', '-c', 'filter.lfs.clean=', '-c', 'filter.lfs.required=false'],
];

function git(folder, args, input) {
  return execFileSync('git', ['-C', folder, ...SETTINGS, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  });
}

/**
 * One work tree per repository below `work`, moved from commit to commit, so that scans are incremental. Its
 * history ends at the commit: no later reference exists there. `mirrors` has bare repositories, `owner+name/repo`.
 */
export function openWorkTrees(mirrors, work) {
  const names = new Map(readdirSync(mirrors).map((name) => [name.toLowerCase(), name]));
  const mirrorOf = (repo) => {
    const name = names.get(repo.replace('/', '+').toLowerCase());
    const folder = name && resolve(mirrors, name, 'repo');
    return [`${folder}/.git`, folder].find((path) => folder && existsSync(join(path, 'objects'))) ?? null;
  };
  return {
    has: (repo) => mirrorOf(repo) !== null,
    /** The folder, and the number of files whose content the mirror lacks. */
    moveTo(repo, commit) {
      const folder = join(resolve(work), repo.replace('/', '+'));
      if (!existsSync(join(folder, '.git'))) {
        mkdirSync(folder, { recursive: true });
        git(folder, ['init', '--quiet', '-b', 'base']);
        writeFileSync(join(folder, '.git/objects/info/alternates'), `${mirrorOf(repo)}/objects\n`);
      }
      git(folder, ['update-ref', 'refs/heads/base', commit]);
      const missing = checkOut(folder, commit);
      git(folder, ['clean', '-qfdx']);
      return { folder, missing };
    },
  };
}

function checkOut(folder, commit) {
  try {
    git(folder, ['reset', '--quiet', '--hard', commit]);
    return 0;
  } catch {
    return checkOutWhatIsThere(folder, commit);
  }
}

/** A mirror may have been made without some contents: their paths are dropped. */
function checkOutWhatIsThere(folder, commit) {
  git(folder, ['read-tree', commit]);
  const files = git(folder, ['ls-files', '-s', '-z'])
    .split('\0')
    .filter((line) => line !== '' && !line.startsWith('160000'))
    .map((line) => ({ blob: line.split(' ', 2)[1], path: line.slice(line.indexOf('\t') + 1) }));
  const asked = `${files.map(({ blob }) => blob).join('\n')}\n`;
  const answers = git(folder, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], asked).split('\n');
  const gone = files.filter((_, at) => answers[at].endsWith(' missing'));
  const zero = '0'.repeat(files[0].blob.length);
  git(
    folder,
    ['update-index', '-z', '--index-info'],
    gone.map(({ path }) => `0 ${zero}\t${path}\0`).join(''),
  );
  git(folder, ['checkout-index', '--all', '--force', '--quiet']);
  return gone.length;
}
