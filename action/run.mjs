// The entry of the GitHub Action (action.yml): the package, the impact or the evaluation of a pull request as files, a
// summary on the page of the job, and outputs. It needs node and git and no network, and runs nothing of the repository.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deletedFiles, findBase, readEvent, taskOf } from './change.mjs';
import { budgetLine, evalReport, impactReport, nothingReport, packageReport } from './reports.mjs';
import { ActionError, addSummary, printError, printForeign, setOutputs } from './runner.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MODES = { package: packageOf, impact: impactOf, eval: evaluationOf };
/** A package of signatures: large enough that every file that uses the change has its place. */
const WIDE_BUDGET = '2000000';
const MAX_OUTPUT_BYTES = 200_000_000;
const INPUT = 'LOADOUT_ACTION_';

/** The inputs, checked before anything else happens. */
function readInputs(env) {
  const given = (name) => env[`${INPUT}${name.toUpperCase().replaceAll('-', '_')}`] ?? '';
  const refuse = (name, allowed) => {
    throw new ActionError(`${name}: ${JSON.stringify(given(name))} is not known; allowed is ${allowed}`);
  };
  const mode = given('mode') || 'package';
  if (!Object.hasOwn(MODES, mode)) refuse('mode', Object.keys(MODES).join(', '));
  const failOver = given('fail-over-budget') || 'false';
  if (!['true', 'false'].includes(failOver)) refuse('fail-over-budget', 'true, false');
  const minRecall = given('min-recall') === '' ? null : Number(given('min-recall'));
  if (minRecall !== null && !(minRecall >= 0 && minRecall <= 1)) refuse('min-recall', 'a share from 0 to 1');
  const folder = resolve(env.GITHUB_WORKSPACE ?? process.cwd(), given('path') || '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    refuse('path', 'a folder of the workspace');
  return {
    ...{ mode, folder, minRecall, failsOver: failOver === 'true', base: given('base'), task: given('task') },
    ...{ budget: given('budget') || '30k', commits: given('commits') || '50' },
  };
}

/** The folder of the results, outside of the repository. */
function openPlace(env) {
  const folder = join(env.RUNNER_TEMP ?? tmpdir(), 'loadout');
  mkdirSync(folder, { recursive: true });
  const environment = { LOADOUT_CACHE_DIR: join(folder, 'cache'), ...env, LOADOUT_WARM_SERVER: 'running' };
  for (const name of Object.keys(environment)) if (name.startsWith(INPUT)) delete environment[name];
  return { folder, env: environment, file: (name) => join(folder, name) };
}

/** Runs the program of this action. Exit code 1 is an answer, "no"; whatever else is wrong ends the step. */
function loadout({ folder }, place, args) {
  const words = [join(root, 'bin/loadout.js'), ...args, '--repo', folder];
  const options = { cwd: folder, env: place.env, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES };
  const { status, stdout, stderr, error } = spawnSync(process.execPath, words, options);
  printForeign(stderr ?? '');
  if (error) throw new ActionError(`loadout ${args[0]} did not end: ${error.message}`);
  if (status !== 0 && status !== 1)
    throw new ActionError(
      stderr.trim().replace(/^loadout: /, '') || `loadout ${args[0]} ended with ${status}`,
    );
  return { isAnswered: status === 0, stdout };
}

/** The data of a package, or null when the change has no file. */
function packed(inputs, place, name, args) {
  const file = place.file(name);
  const { isAnswered } = loadout(inputs, place, ['pack', ...args, '--json', '--output', file]);
  return isAnswered ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Everything that a change touches: all changed files, their tests and the files that use them, as signatures. */
function wideImpact(inputs, place, base) {
  const wide = ['--strategy', 'signature_only', '--fill', '--budget', WIDE_BUDGET];
  return packed(inputs, place, 'wide.json', [`--diff=${base}`, ...wide]);
}

/** How large the change is, and whether a package of the budget holds all of it. */
function measure(wide, pack) {
  const cut = ({ diagnostics }) => diagnostics.some(({ code }) => code === 'diff-cut');
  const changeTokens = wide.receipts.find(({ part }) => part === 'diff')?.tokens ?? 0;
  return { isWithin: !cut(pack), changeTokens, isAtLeast: cut(wide), budget: pack.tokenBudget };
}

function packageOf(inputs, place, event) {
  const base = findBase(inputs.folder, inputs.base, event);
  const taskFile = place.file('task.txt');
  const task = taskOf(inputs.task, event);
  writeFileSync(taskFile, task);
  const asked = [
    `--diff=${base}`,
    '--budget',
    inputs.budget,
    ...(task === '' ? [] : ['--task-file', taskFile]),
  ];
  const wide = wideImpact(inputs, place, base);
  if (wide === null) return nothing(inputs, deleted(inputs, base));
  const pack = fitting(inputs, packed(inputs, place, 'package.json', asked));
  const file = place.file('package.md');
  loadout(inputs, place, ['pack', ...asked, '--output', file, '--quiet']);
  const budget = measure(wide, pack);
  return { file, tokens: pack.tokenCount, budget, report: packageReport(pack, budget) };
}

function impactOf(inputs, place, event) {
  const base = findBase(inputs.folder, inputs.base, event);
  const gone = deleted(inputs, base);
  const wide = wideImpact(inputs, place, base);
  if (wide === null) return nothing(inputs, gone);
  const asked = [`--diff=${base}`, '--budget', inputs.budget];
  const pack = fitting(inputs, packed(inputs, place, 'package.json', asked));
  const because = (reason) => wide.items.filter((item) => item.reason === reason).map(({ path }) => path);
  const impact = {
    base,
    changed: because('changed'),
    deleted: gone,
    tests: because('tests what was changed'),
    users: because('uses what was changed'),
  };
  const budget = measure(wide, pack);
  const file = place.file('impact.json');
  writeFileSync(file, `${JSON.stringify({ ...impact, ...budget }, null, 2)}\n`);
  return { file, tokens: budget.changeTokens, budget, report: impactReport(impact, budget) };
}

const deleted = ({ folder }, base) => deletedFiles(folder, base);

/** The package, or the reason why there is none although files were changed. */
function fitting({ budget }, pack) {
  if (pack) return pack;
  throw new ActionError(`budget: ${budget} has no room for a single file of this change`, 1);
}

function evaluationOf(inputs, place) {
  const { folder, commits, minRecall } = inputs;
  const { stdout } = loadout(inputs, place, ['eval', '--no-pack', '--commits', commits, '--json']);
  const evaluation = JSON.parse(stdout);
  if (evaluation.summary.commits === 0)
    throw new ActionError(
      `eval: ${folder} has no past commit to measure with: give actions/checkout "fetch-depth: 0"`,
    );
  const file = place.file('eval.json');
  writeFileSync(file, `${JSON.stringify(evaluation, null, 2)}\n`);
  const { recall10 } = evaluation.summary.ranking;
  const failure =
    minRecall !== null && recall10 < minRecall
      ? `${(recall10 * 100).toFixed(1)} % of the changed files are among the first ten; min-recall asks for ${minRecall * 100} %`
      : null;
  return { file, tokens: 0, failure, report: evalReport(evaluation, minRecall) };
}

/** A change without a file to show is no failure. */
function nothing({ mode }, gone) {
  return { file: '', tokens: 0, report: nothingReport(mode, gone) };
}

function main(env) {
  if (!existsSync(join(root, 'dist/cli.cjs')))
    throw new ActionError(
      'this is a copy of the sources without the built program (dist/): use a built version of the action, such as @v0, or run "npm ci && npm run build" in it first',
    );
  const inputs = readInputs(env);
  const place = openPlace(env);
  const { file, tokens, budget, failure, report } = MODES[inputs.mode](
    inputs,
    place,
    readEvent(env.GITHUB_EVENT_PATH),
  );
  const isWithin = budget?.isWithin ?? true;
  const comment = place.file(`${inputs.mode}-comment.md`);
  writeFileSync(comment, report);
  addSummary(env.GITHUB_STEP_SUMMARY, report);
  setOutputs(env.GITHUB_OUTPUT, { package: file, comment, tokens, 'within-budget': isWithin });
  if (failure) throw new ActionError(failure, 1);
  if (inputs.failsOver && !isWithin) throw new ActionError(budgetLine(budget), 1);
}

try {
  main(process.env);
} catch (error) {
  if (!(error instanceof ActionError)) throw error;
  printError(error.message);
  process.exitCode = error.exitCode;
}
