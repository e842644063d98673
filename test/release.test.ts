import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  changelogSection,
  type Manifest,
  releaseProblems,
  withRepository,
} from '../scripts/check-release.mjs';
import { PAGES, unpublishedCommands, withInstallText } from '../scripts/install-command.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const published: Manifest = { ...manifest, release: { published: true } };

describe('a release', () => {
  const CHANGELOG = '# Changelog\n\n## [1.2.0] - 2026-11-18\n\n- New.\n\n## [1.1.0]\n\n## 1.0.0\n\n- Old.\n';
  const good = {
    tag: 'v1.2.0',
    repository: 'Someone/Loadout',
    manifest: { ...manifest, version: '1.2.0' },
    changelog: CHANGELOG,
    known: null,
  };
  const ours = {
    repository: { url: 'git+https://github.com/someone/loadout.git' },
    versions: ['1.1.0'],
  };

  it('may be the first one, or a new version of our package', () => {
    expect(releaseProblems(good)).toEqual([]);
    expect(releaseProblems({ ...good, known: ours })).toEqual([]);
    expect(releaseProblems({ ...good, known: { ...ours, repository: 'someone/loadout' } })).toEqual([]);
  });

  it.each([
    ['another tag', { tag: 'v1.2.1' }, 'the tag is v1.2.1'],
    [
      'a version without a heading',
      { tag: 'v1.3.0', manifest: { ...manifest, version: '1.3.0' } },
      'no heading',
    ],
    ['a heading without text', { tag: 'v1.1.0', manifest: { ...manifest, version: '1.1.0' } }, 'is empty'],
    ['a repository that is no name', { repository: 'x; rm' }, 'is not OWNER/NAME'],
    [
      'a name of somebody else',
      { known: { repository: 'github.com/other/thing' } },
      'belongs to other/thing',
    ],
    ['a name without a repository', { known: {} }, 'belongs to a package without a repository'],
    ['a version that exists', { known: { ...ours, versions: ['1.2.0'] } }, 'in the registry already'],
    ['a wrong marker', { manifest: { ...published, version: '1.2.0' } }, 'the registry does not have it'],
    ['no provenance', { manifest: { ...good.manifest, publishConfig: { access: 'public' } } }, 'provenance'],
  ])('is refused for %s', (_name, change, said) => {
    expect(releaseProblems({ ...good, ...change })).toEqual([expect.stringContaining(said)]);
  });

  it('has the section of the changelog as its notes', () => {
    expect(changelogSection(CHANGELOG, '1.2.0')).toBe('- New.');
    expect(changelogSection(CHANGELOG, '1.0.0')).toBe('- Old.');
    expect(changelogSection(CHANGELOG, '1.0')).toBeNull();
  });

  it('names its repository only when it is made', () => {
    expect(manifest).not.toHaveProperty('repository');
    expect(withRepository(manifest, 'a/b').repository.url).toBe('git+https://github.com/a/b.git');
  });
});

describe('the install command', () => {
  it.each(PAGES)('of %s comes from package.json', (page) => {
    expect(read(page)).toContain('<!-- install: ');
    expect(withInstallText(read(page), manifest)).toBe(read(page));
    expect(withInstallText(read(page), published)).toContain(`npx -y ${manifest.name}`);
  });

  it('of no page names a package that is not published', () => {
    const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
    const pages = ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
    expect(pages.flatMap((page) => unpublishedCommands(read(page), manifest))).toEqual([]);
  });

  it.each(['npx -y loadout map', 'npm i -g loadout', 'npm install --save-dev loadout@1', 'bunx loadout'])(
    'is noticed: %s',
    (line) => {
      expect(unpublishedCommands(line, { ...manifest, release: { published: false } })).toHaveLength(1);
      expect(unpublishedCommands(line, published)).toEqual([]);
    },
  );

  it.each(['npm install -g "$(npm pack --silent)"', 'npx -y ./loadout-0.1.0.tgz', 'npm ci && npm run build'])(
    'is not seen in: %s',
    (line) => expect(unpublishedCommands(line, { ...manifest, release: { published: false } })).toEqual([]),
  );
});

describe('workflows', () => {
  const files = readdirSync(join(root, '.github/workflows'));

  it.each(files)('%s starts without rights and pins every action by its commit', (name) => {
    const text = read(`.github/workflows/${name}`);
    expect(text).toContain('\npermissions: {}\n');
    // `./` is this repository's own action
    const used = [...text.matchAll(/uses: (\S+)(.*)/g)].filter(([, action]) => action !== './');
    expect(used.length).toBeGreaterThan(0);
    for (const [, action, comment] of used) {
      expect(action).toMatch(/@[0-9a-f]{40}$/);
      expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
    }
    // text of a pull request or a tag never becomes part of a script
    expect(text).not.toMatch(/run:[^\n]*\$\{\{/);
  });
});
