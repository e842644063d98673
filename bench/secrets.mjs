// Measures the secret detectors: what they find, what they wrongly take for a secret, and how fast they are.
//
//   node bench/secrets.mjs [--gitleaks PROGRAM] [--secretlint FOLDER] [TREE...]
//
// The cases are those of test/security/secret-corpus. --gitleaks names the program, --secretlint a folder in which
// @secretlint/core and @secretlint/secretlint-rule-preset-recommend are installed. For each TREE of text the number
// of findings and the time are printed.
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = join(root, 'bench/.work/secrets');
const MAX_BYTES = 1_000_000;

const flags = process.argv.slice(2);
function optionOf(flag) {
  const at = flags.indexOf(flag);
  return at === -1 ? null : flags.splice(at, 2)[1];
}
const gitleaks = optionOf('--gitleaks');
const secretlint = optionOf('--secretlint');

async function bundled(path) {
  const outfile = join(work, `${path.replaceAll('/', '-')}.mjs`);
  await build({
    entryPoints: [join(root, path)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, path)).href) },
  });
  return import(pathToFileURL(outfile).href);
}

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const { secretCorpus, benignCorpus, leaks } = await bundled('test/security/secret-corpus.ts');
const { findSecrets } = await bundled('src/redact/find-secrets.ts');

/** Each scanner takes texts and returns the parts that it would replace in each. */
const scanners = [{ name: 'loadout', scan: (texts) => texts.map(ours) }];
if (secretlint !== null) scanners.push({ name: 'secretlint', scan: await secretlintScanner(secretlint) });
if (gitleaks !== null) scanners.push({ name: 'gitleaks', scan: (texts) => runGitleaks(gitleaks, texts) });

function ours({ path, text }) {
  return findSecrets(text, path).map(({ start, end }) => text.slice(start, end));
}

async function secretlintScanner(folder) {
  const require = createRequire(join(folder, 'package.json'));
  const { lintSource } = await import(pathToFileURL(require.resolve('@secretlint/core')).href);
  const { creator } = await import(
    pathToFileURL(require.resolve('@secretlint/secretlint-rule-preset-recommend')).href
  );
  const rules = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }];
  return async (texts) => {
    const found = [];
    for (const { path, text } of texts) {
      const source = { filePath: `/r/${path}`, content: text, contentType: 'text' };
      const { messages } = await lintSource({
        source,
        options: { noPhysicFilePath: true, config: { rules } },
      });
      found.push(messages.map(({ range: [start, end] }) => text.slice(start, end)));
    }
    return found;
  };
}

function runGitleaks(program, texts) {
  const folder = join(work, 'cases');
  rmSync(folder, { recursive: true, force: true });
  for (const [at, { path, text }] of texts.entries()) {
    const file = join(folder, String(at), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const report = join(work, 'gitleaks.json');
  spawnSync(program, ['dir', folder, '--no-banner', '--log-level=error', '--exit-code=0', '-r', report], {
    stdio: 'inherit',
  });
  const found = texts.map(() => []);
  for (const { File, Secret } of JSON.parse(readFileSync(report, 'utf8')))
    found[Number(relative(folder, File).split('/')[0])].push(Secret);
  return found;
}

function textsUnder(folder) {
  const texts = [];
  const walk = (at) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') walk(path);
      if (!entry.isFile() || lstatSync(path).size > MAX_BYTES) continue;
      const bytes = readFileSync(path);
      if (!bytes.subarray(0, 8_000).includes(0))
        texts.push({ path: relative(folder, path), text: bytes.toString('utf8') });
    }
  };
  walk(folder);
  return texts;
}

const secrets = secretCorpus();
const benign = benignCorpus();
const groups = [...new Set(secrets.map(({ id }) => id.split(' ')[0]))];
for (const { name, scan } of scanners) {
  const found = await scan(secrets);
  const named = (at) => found[at].length > 0;
  const gone = (at) =>
    !leaks(
      secrets[at],
      found[at].reduce((text, part) => text.replaceAll(part, ''), secrets[at].text),
    );
  const share = (test, group) => {
    const places = [...secrets.keys()].filter(
      (at) => group === undefined || secrets[at].id.startsWith(`${group} `),
    );
    return `${places.filter(test).length} of ${places.length}`;
  };
  const wrong = (await scan(benign)).filter((parts) => parts.length > 0).length;
  const right = secrets.filter((_, at) => named(at)).length;
  console.log(`${name}: something found in ${share(named)}, all of the secret in ${share(gone)}`);
  for (const group of groups) console.log(`  ${group}: ${share(named, group)}, all: ${share(gone, group)}`);
  console.log(
    `  look-alikes taken for secrets: ${wrong} of ${benign.length}; precision ${(right / (right + wrong)).toFixed(3)}`,
  );
}

for (const tree of flags) {
  const texts = textsUnder(tree);
  const megabytes = texts.reduce((sum, { text }) => sum + text.length, 0) / 1e6;
  for (const { name, scan } of scanners) {
    const started = process.hrtime.bigint();
    const count = (await scan(texts)).reduce((sum, parts) => sum + parts.length, 0);
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    const figures = `${count} findings, ${(count / megabytes).toFixed(2)} per MB, ${(megabytes / seconds).toFixed(0)} MB/s`;
    console.log(`${tree}, ${megabytes.toFixed(1)} MB: ${name}: ${figures}`);
  }
}
