// Checks the packages that Loadout is built from: their licences, offline, and their known vulnerabilities, with npm.
//
//   node scripts/check-dependencies.mjs [--no-audit] [--timeout N] [--json] [--folder DIR]
//
// Packages that users get (dependencies, and those in scripts/bundled.json) are judged more strictly than tools.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HELP = `Usage: node scripts/check-dependencies.mjs [options]

Checks the licences and the known vulnerabilities of all packages.

Options:
  --no-audit     Check licences only; send no request to a registry.
  --folder DIR   The package to check. (default: this repository)
  --timeout N    Time limit of each of the two registry requests, in seconds. (default: 18)
  --json         Print the result as JSON.
  --help         Show this help.

Exit code 0: nothing is wrong, or the registry did not answer the audit. 1: a licence is not allowed, or a package
that users get has a vulnerability of high or critical severity. 2: the check cannot be made.
`;

/** Licences that ask for no more than a notice. */
const ALLOWED = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
  ],
  ...['Python-2.0', 'Unlicense', 'Zlib'],
]);
/** Also fine for tools that stay on the machine of a developer. */
const ALLOWED_FOR_TOOLS = new Set([...ALLOWED, 'CC-BY-4.0', 'MPL-2.0']);
const GRAVE = new Set(['high', 'critical']);
class CheckError extends Error {}

function readJson(path, otherwise) {
  if (otherwise !== undefined && !existsSync(path)) return otherwise;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CheckError(`cannot read ${path}: ${error.message}`);
  }
}

/** Every package below a node_modules folder, as paths like those of a lockfile. */
function installedPaths(root, folder = 'node_modules') {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder)).filter((name) => !name.startsWith('.'));
  return names.flatMap((name) => {
    if (name.startsWith('@')) return installedPaths(root, `${folder}/${name}`);
    const path = `${folder}/${name}`;
    const own = existsSync(join(root, path, 'package.json')) ? [path] : [];
    return [...own, ...installedPaths(root, `${path}/node_modules`)];
  });
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The licence that a manifest states, in any of the forms that manifests have had. */
function statedLicence({ license, licenses } = {}) {
  const stated = license ?? licenses;
  const all = (Array.isArray(stated) ? stated : [stated]).map((one) => one?.type ?? one);
  return all.every((one) => typeof one === 'string' && one !== '') ? all.join(' OR ') : null;
}

/** Whether an SPDX expression can be met with the allowed licences alone; null when it is not an expression. */
function isMet(expression, allowed) {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const either = (operator, next, join) => () => {
    let met = next();
    while (words[at]?.toUpperCase() === operator && met !== null) {
      at += 1;
      const other = next();
      met = other === null ? null : join(met, other);
    }
    return met;
  };
  const one = () => {
    const word = words[at++];
    if (word === '(') {
      const met = any();
      return words[at++] === ')' ? met : null;
    }
    if (word === undefined || !/^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(word)) return null;
    if (words[at]?.toUpperCase() !== 'WITH') return allowed.has(word);
    at += 2;
    return allowed.has(word);
  };
  const every = either('AND', one, (a, b) => a && b);
  const any = either('OR', every, (a, b) => a || b);
  const met = any();
  return at === words.length ? met : null;
}

/** Offline: from the manifests that are installed, and from the lockfile for those that are not. */
function checkLicences(folder, bundled) {
  const { packages } = readJson(join(folder, 'package-lock.json'));
  if (!packages)
    throw new CheckError(`${join(folder, 'package-lock.json')} has no "packages": run "npm install"`);
  const installed = installedPaths(folder);
  const locked = Object.keys(packages).filter((path) => path.includes('node_modules/'));
  const result = { checked: 0, shipped: 0, notInstalled: [], problems: [] };
  for (const name of bundled)
    if (!installed.includes(`node_modules/${name}`))
      result.problems.push({
        package: name,
        licence: null,
        why: 'it is in scripts/bundled.json and not installed',
      });
  for (const path of new Set([...locked, ...installed])) {
    const entry = packages[path] ?? {};
    const name = nameOf(path);
    const isInstalled = installed.includes(path);
    const licence = statedLicence(isInstalled ? readJson(join(folder, path, 'package.json')) : entry);
    // tools for other platforms: the lockfile may not know their licence, and nothing of them is here
    if (licence === null && !isInstalled && entry.optional && entry.dev) {
      result.notInstalled.push(name);
      continue;
    }
    const isShipped = bundled.includes(name) || (entry.dev !== true && path in packages);
    result.checked += 1;
    if (isShipped) result.shipped += 1;
    const met = licence === null ? null : isMet(licence, isShipped ? ALLOWED : ALLOWED_FOR_TOOLS);
    if (met === true) continue;
    const why =
      licence === null
        ? 'it states no licence'
        : met === null
          ? `its licence ${JSON.stringify(licence)} is not an SPDX expression`
          : `its licence ${licence} is not allowed for ${isShipped ? 'a package that users get' : 'a tool'}`;
    result.problems.push({ package: name, licence, why });
  }
  return result;
}

/** One `npm audit`: its report, or why there is none. */
function runAudit(folder, args, seconds) {
  return new Promise((done) => {
    const options = ['--json', '--fetch-retries=0', `--fetch-timeout=${seconds * 900}`];
    const child = spawn('npm', ['audit', ...args, ...options], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => {
        said[stream] += text;
      });
    const timer = setTimeout(() => {
      done({ reason: `no answer within ${seconds} seconds` });
      // npm and its children
      process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1_000);
    child.on('error', ({ code }) => {
      clearTimeout(timer);
      done({ reason: `npm cannot be started: ${code}` });
    });
    child.on('close', () => {
      clearTimeout(timer);
      done(readAudit(said));
    });
  });
}

function readAudit({ stdout, stderr }) {
  let answer = null;
  try {
    answer = JSON.parse(stdout);
  } catch {
    // npm says what is wrong on standard error
  }
  if (answer?.auditReportVersion === 2) return { report: answer };
  const lines = stderr.split('\n').filter((line) => /^npm (?:error|warn audit)/.test(line));
  const last = lines[0]?.replace(/^npm (?:error|warn) (?:audit )?/, '');
  return { reason: answer?.message || answer?.error?.summary || last || 'npm printed nothing' };
}

/** The registry's report about the packages; only packages that users get can fail the check. */
async function checkVulnerabilities(folder, bundled, seconds) {
  const shipped = await runAudit(folder, ['--omit=dev'], seconds);
  const all = shipped.report ? await runAudit(folder, [], seconds) : shipped;
  if (!all.report) return { answered: false, reason: all.reason, findings: [] };
  const findings = [];
  // a text says that the fault is in another package, which has an entry of its own
  for (const [name, { via }] of Object.entries(all.report.vulnerabilities))
    for (const advisory of via.filter((one) => typeof one === 'object')) {
      const where =
        name in shipped.report.vulnerabilities ? 'shipped' : bundled.includes(name) ? 'bundled' : 'tool';
      const { severity, title, url, range } = advisory;
      const fails = where !== 'tool' && GRAVE.has(severity);
      findings.push({ package: name, range, severity, title, url, where, fails });
    }
  return { answered: true, reason: null, findings };
}

function describe({ licences, audit }) {
  const lines = licences.problems.map((problem) => `licence: ${problem.package}: ${problem.why}`);
  const away = licences.notInstalled.length;
  lines.push(
    `licences: ${licences.checked} packages checked, ${licences.shipped} of them go to users; ` +
      `${licences.problems.length} not allowed${away === 0 ? '' : `; ${away} tools for other platforms are not installed`}`,
  );
  if (audit === null) return lines;
  if (!audit.answered)
    return [...lines, `npm audit: the registry did not answer (${audit.reason}): not checked`];
  for (const { severity, where, title, url, range, package: name } of audit.findings)
    lines.push(`npm audit: ${severity}, ${where}: ${name} ${range}: ${title} (${url})`);
  const failed = audit.findings.filter(({ fails }) => fails).length;
  const count = audit.findings.length === 1 ? '1 advisory' : `${audit.findings.length} advisories`;
  lines.push(`npm audit: ${count}, ${failed} of them high or critical in packages that users get`);
  return lines;
}

function readOptions() {
  const options = {
    'no-audit': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    timeout: { type: 'string', default: '18' },
    help: { type: 'boolean', default: false },
    folder: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new CheckError(`${error.message.split(/[.\n]/)[0]}; run it with --help`);
  }
}

async function main() {
  const values = readOptions();
  if (values.help) return { text: HELP, exitCode: 0 };
  const folder = resolve(values.folder);
  const seconds = Number(values.timeout);
  if (!(seconds >= 1 && seconds <= 600))
    throw new CheckError(`--timeout is ${JSON.stringify(values.timeout)}; it must be 1 to 600 seconds`);
  if (!existsSync(join(folder, 'package-lock.json')))
    throw new CheckError(`there is no package-lock.json in ${folder}`);
  if (!existsSync(join(folder, 'node_modules')))
    throw new CheckError(`there is no node_modules in ${folder}: run "npm ci" first`);
  const bundled = readJson(join(folder, 'scripts/bundled.json'), []);
  const licences = checkLicences(folder, bundled);
  const audit = values['no-audit'] ? null : await checkVulnerabilities(folder, bundled, seconds);
  const isFine = licences.problems.length === 0 && !audit?.findings.some(({ fails }) => fails);
  const text = values.json
    ? `${JSON.stringify({ ok: isFine, licences, audit }, null, 2)}\n`
    : `${describe({ licences, audit }).join('\n')}\n`;
  return { text, exitCode: isFine ? 0 : 1 };
}

try {
  const { text, exitCode } = await main();
  process.stdout.write(text);
  process.exitCode = exitCode;
} catch (error) {
  if (!(error instanceof CheckError)) throw error;
  console.error(`check-dependencies: ${error.message}`);
  process.exitCode = 2;
}
