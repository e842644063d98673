// May this tag be released? Checks that tag, version and changelog agree, and that the name in the registry belongs to this repository.
//   node scripts/check-release.mjs --tag v0.1.0 --repository OWNER/NAME [--notes FILE] [--write]
//   node scripts/check-release.mjs --published          only: what README and docs name is in the registry
// --notes writes the section of the changelog, for the release page. --write puts the address of the repository into
// package.json: it is known at release time and nowhere before, so no page can name an owner that does not exist.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const TIMEOUT_MS = 30_000;

/** The text of one version in CHANGELOG.md; null when it has none, `''` when it is empty. */
export function changelogSection(changelog, version) {
  const heading = new RegExp(
    `^## (?:\\[${escaped(version)}\\]|${escaped(version)})(?: - \\d{4}-\\d{2}-\\d{2})?$`,
    'm',
  );
  const found = heading.exec(changelog);
  if (!found) return null;
  const rest = changelog.slice(found.index + found[0].length);
  return rest.split(/^## /m)[0].trim();
}

/** Everything that speaks against this release. `known` is what the registry has of the package, null when it has none. */
export function releaseProblems({ tag, repository, manifest, changelog, known }) {
  const { name, version, publishConfig, release } = manifest;
  const problems = [];
  if (tag !== `v${version}`)
    problems.push(`the tag is ${tag}, and package.json has version ${version}: tag v${version}`);
  const section = changelogSection(changelog, version);
  if (section === null) problems.push(`CHANGELOG.md has no heading "## [${version}] - YYYY-MM-DD"`);
  else if (section === '') problems.push(`the section ${version} of CHANGELOG.md is empty`);
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    problems.push(`${JSON.stringify(repository)} is not OWNER/NAME`);
  if (publishConfig?.access !== 'public' || publishConfig?.provenance !== true)
    problems.push('publishConfig of package.json must have access "public" and provenance true');
  if (known === null) {
    if (release.published)
      problems.push(`package.json says that ${name} is published, and the registry does not have it`);
    return problems;
  }
  const owner = repositoryOf(known);
  if (owner !== repository.toLowerCase())
    problems.push(
      `the name ${name} belongs to ${owner ?? 'a package without a repository'}: choose another name or a scope`,
    );
  if (known.versions?.includes(version))
    problems.push(`${name}@${version} is in the registry already: raise the version`);
  return problems;
}

/** `owner/name` of a package in the registry, in lower case as GitHub compares it. npm shortens its address to just that. */
function repositoryOf({ repository }) {
  const url = typeof repository === 'string' ? repository : repository?.url;
  const [, found] =
    /(?:github\.com[/:]|^(?:github:)?)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url ?? '') ?? [];
  return found?.toLowerCase() ?? null;
}

/** The fields of package.json that name the repository, which provenance needs. */
export function withRepository(manifest, repository) {
  const page = `https://github.com/${repository}`;
  return {
    ...manifest,
    // The MCP registry takes an entry only if the package names it.
    mcpName: `io.github.${repository}`,
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
    repository: { type: 'git', url: `git+${page}.git` },
  };
}

function escaped(text) {
  return text.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&');
}

/** Asks the registry that npm is set to; one that does not answer is an error, never "not taken". */
function askRegistry(name) {
  const words = ['view', name, 'repository', 'versions', '--json'];
  const { status, stdout, stderr, error } = spawnSync('npm', words, {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  if (error) throw error;
  const answer = JSON.parse(stdout || '{}');
  if (status === 0) return { repository: answer.repository, versions: [answer.versions ?? []].flat() };
  if (answer.error?.code === 'E404') return null;
  throw new Error(`npm view ${name}: ${answer.error?.summary ?? stderr.trim()}`);
}

function main() {
  const { values } = parseArgs({
    options: {
      tag: { type: 'string' },
      repository: { type: 'string' },
      notes: { type: 'string' },
      write: { type: 'boolean' },
      published: { type: 'boolean' },
    },
  });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (values.published) {
    if (manifest.release.published && askRegistry(manifest.name) === null)
      fail([`README and docs name ${manifest.name}, and the registry does not have it`]);
    return;
  }
  const { tag = '', repository = '' } = values;
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const known = askRegistry(manifest.name);
  fail(releaseProblems({ tag, repository, manifest, changelog, known }));
  if (values.notes) writeFileSync(values.notes, `${changelogSection(changelog, manifest.version)}\n`);
  if (values.write)
    writeFileSync(
      join(root, 'package.json'),
      `${JSON.stringify(withRepository(manifest, repository), null, 2)}\n`,
    );
  console.log(`${manifest.name} ${manifest.version} may be released`);
}

function fail(problems) {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(`release: ${problem}`);
  process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
