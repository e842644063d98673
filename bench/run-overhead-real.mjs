// Measures the cost of a run beyond the agent, with the real CLIs: `loadout run` with its server, and in turns with it the
// same CLI, started by this script with the same arguments, environment and prompt. The model behind both is the stub of
// test/clients, which answers at once.
//
//   npm run test:clients   (once: it installs the CLIs)
//   node bench/run-overhead-real.mjs --repo DIR [--rounds 15] [--cli claude] [--build dist]
//
// `DIR` is a git repository; the records of the runs stay out of it. Exits with 1 when the difference of the medians is
// 300 ms or more.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const LIMIT_MS = 300;
const TASK = 'Fix the order of migrations that depend on each other in the autodetector';
const ANSWER = {
  ...{ status: 'SUCCESS', action_taken: 'x', next_step: null },
  ...{ files_created: [], files_modified: [], tests_written: [], blockers: [] },
};
const root = fileURLToPath(new URL('..', import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const clis = [option('cli', ['claude', 'codex', 'gemini'])].flat();
const programs = join(root, 'test/clients/node_modules/.bin');
const missing = clis.find((cli) => !existsSync(join(programs, cli)));
if (option('repo', null) === null || missing) {
  console.error(
    missing ? `${missing} is not installed: npm run test:clients` : 'name a repository: --repo DIR',
  );
  process.exit(2);
}
const rounds = Number(option('rounds', 15));
const program = join(resolve(root, option('build', 'dist')), 'cli.cjs');

const work = mkdtempSync(join(tmpdir(), 'loadout-real-'));
const repository = join(work, 'repository');
const home = join(work, 'home');
mkdirSync(home);
mkdirSync(join(work, 'bin'));
let env = {};
process.on('exit', () => {
  spawnSync(process.execPath, [program, 'serve', '--stop'], { env });
  rmSync(work, { recursive: true, force: true });
});

const stub = await startStub();
env = {
  ...stub.environment(home),
  LOADOUT_CACHE_DIR: join(work, 'cache'),
  LOADOUT_WARM_SERVER: 'start',
};
env.PATH = [join(work, 'bin'), env.PATH].join(delimiter);
const clone = spawnSync('git', ['clone', '--quiet', '--shared', resolve(option('repo')), repository]);
if (clone.status !== 0) throw new Error(String(clone.stderr));
// As in real use: git has looked at its files since they were written, in another second.
spawnSync('sleep', ['1.1']);
spawnSync('git', ['status', '--short'], { cwd: repository });

let isGood = true;
for (const cli of clis) isGood = (await measure(cli)) && isGood;
console.log(`load ${loadavg()[0].toFixed(1)}`);
await stub.close();
process.exitCode = isGood ? 0 : 1;

async function measure(cli) {
  const invocation = join(work, `${cli}.invocation`);
  // Records its arguments.
  const wrapper = `#!/bin/sh
case "$1" in --version) ;; *) [ -f "${invocation}" ] || { pwd; env -0 | base64 -w0; echo; printf '%s\\0' "$@" | base64 -w0; } > "${invocation}";; esac
exec "${join(programs, cli)}" "$@"
`;
  writeFileSync(join(work, 'bin', cli), wrapper);
  chmodSync(join(work, 'bin', cli), 0o755);
  const model = cli === 'gemini' ? ['--model', 'gemini-stub'] : [];
  const line = [program, '--json', 'run', TASK, '--cli', cli, ...model];
  const run = () => timed(process.execPath, line, { cwd: repository, env });
  await run();
  while (!existsSync(join(env.LOADOUT_CACHE_DIR, 'server.json'))) await pause(100);
  rmSync(join(work, 'bin', cli));
  for (let round = 0; round < 3; round += 1) await run();
  const [cwd, variables, words] = readFileSync(invocation, 'utf8').trim().split('\n');
  const fields = (text) => Buffer.from(text, 'base64').toString().split('\0').slice(0, -1);
  const itsEnv = Object.fromEntries(fields(variables).map((one) => one.split(/=(.*)/s).slice(0, 2)));
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) itsEnv[name] = join(home, 'tmp');
  const runs = join(repository, '.loadout/runs');
  const input = readFileSync(join(runs, readdirSync(runs).sort().at(-1), 'attempt-1.prompt.md'));
  const alone = () => timed(join(programs, cli), fields(words), { cwd, env: itsEnv, input });
  await alone();
  const times = { run: [], alone: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.run.push(await run());
    times.alone.push(await alone());
  }
  const [ours, its] = [median(times.run), median(times.alone)];
  console.log(`${cli.padEnd(8)} alone ${its} ms, loadout run ${ours} ms: ${ours - its} ms more`);
  return ours - its < LIMIT_MS;
}

async function timed(command, args, { input, ...options }) {
  const started = performance.now();
  const child = spawn(command, args, { ...options, stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  child.stdin?.end(input);
  const code = await new Promise((finish) => child.once('close', finish));
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${Buffer.concat(said)}`);
  return Math.round(performance.now() - started);
}

function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}

/** Only tests run the sources without a build. */
async function startStub() {
  const outfile = join(work, 'stub.mjs');
  const entryPoints = [join(root, 'test/clients/stub/model-stub.ts')];
  const here = JSON.stringify(join(root, 'test/clients/stub'));
  const define = { 'import.meta.dirname': here };
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', define });
  const { startModelStub } = await import(pathToFileURL(outfile));
  return startModelStub(({ wantsStructure }) =>
    wantsStructure
      ? { kind: 'structured', value: ANSWER }
      : { kind: 'text', text: `Done.\n\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\`\n` },
  );
}
