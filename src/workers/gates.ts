// Runs a gate, which is a command that must pass. A gate runs in the run's work tree with few variables, and it may not
// change files.
import { keepEnds } from '../context/fit/index.ts';
import type { Environment } from '../platform/environment.ts';
import { runContained } from '../platform/process/contained-process.ts';
import type { ProcessResult } from '../platform/process/process-runner.ts';
import { safeText } from '../redact/index.ts';
import type { GateReport } from './run-record.ts';
import type { GateCommand } from './run-request.ts';
import type { RunTree } from './worktrees/run-tree.ts';

/** Where and how a gate runs. */
interface GateSetting {
  /** Marks the processes that the gate starts, so that all of them end with it. */
  readonly run: string;
  readonly tree: Pick<RunTree, 'path' | 'snapshot' | 'restore'>;
  /** All variables that the gate sees. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** For the duration in the report. */
  readonly monotonicMs: () => number;
}

/** A gate that has ended. Its report holds as much of the output as a model can use. */
interface FinishedGate {
  readonly report: GateReport;
  /** The output for a file, up to 9 MB. */
  readonly output: string;
}

/** For each of the two streams: 9 MB in all. */
const KEPT_OUTPUT = { headBytes: 1_000_000, tailBytes: 3_500_000 };
/** The beginning and the end of an output are the most useful parts. */
const SHOWN_HEAD_BYTES = 4_000;
const SHOWN_TAIL_CHARACTERS = 8_000;

/** The gate as messages show it. */
export function gateName(gate: GateCommand): string {
  return typeof gate === 'string' ? gate : gate.join(' ');
}

/** Runs one gate in the work tree. It passes when it ends with exit code 0 and the files still make the tree `before`. */
export async function runGate(
  gate: GateCommand,
  before: string,
  setting: GateSetting,
): Promise<FinishedGate> {
  const { run, tree, env, timeoutMs, signal, monotonicMs } = setting;
  const [command = '', ...args] = typeof gate === 'string' ? ['/bin/sh', '-c', gate] : gate;
  const started = monotonicMs();
  const result = await runContained(command, args, {
    run,
    folder: tree.path,
    cwd: tree.path,
    env,
    timeoutMs,
    signal,
    keepOutput: KEPT_OUTPUT,
  });
  const durationMs = Math.round(monotonicMs() - started);
  // A report has as much of the output as a prompt can use; the file has all of it.
  const finish = (why: GateReport['why'], note = ''): FinishedGate => {
    const output = [outputOf(result), note].filter(Boolean).join('\n');
    const shown = keepEnds(output, SHOWN_HEAD_BYTES, SHOWN_TAIL_CHARACTERS, (left) => {
      return `[${left} bytes left out]`;
    });
    const { exitCode } = result;
    const passed = why === null;
    return {
      report: { gate: gateName(gate), passed, why, exitCode, durationMs, output: shown, outputFile: null },
      output,
    };
  };
  if (result.outcome === 'aborted') return finish('cancelled');
  if (result.outcome === 'timed-out') return finish('timed-out');
  if (result.outcome === 'not-found') return finish('not-found');
  if (result.exitCode !== 0) return finish('exit-code');
  const { tree: after } = await tree.snapshot();
  if (after === before) return finish(null);
  // Changes that a gate makes are not the agent's work.
  await tree.restore(before);
  return finish('changed-the-tree', 'The command changed files of the work tree.');
}

/** Both streams in one text, without secrets. */
function outputOf({ stdout, stderr, omittedBytes }: ProcessResult): string {
  const said = [stdout, stderr].map((stream) => stream.toString('utf8').trimEnd());
  const note = omittedBytes > 0 ? `[${omittedBytes} bytes in the middle are not kept]` : '';
  return [safeText(said.filter(Boolean).join('\n')), note].filter(Boolean).join('\n');
}

/** Variables that tools need to be found and to find their own files. None of them holds a key or token. */
const PASSED_ON = (
  'PATH Path HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP USERPROFILE HOMEDRIVE HOMEPATH ' +
  'APPDATA LOCALAPPDATA SystemRoot SYSTEMROOT ComSpec XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME ' +
  'XDG_STATE_HOME XDG_RUNTIME_DIR JAVA_HOME GOPATH GOROOT GOCACHE GOMODCACHE CARGO_HOME RUSTUP_HOME ' +
  'ANDROID_HOME VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT NVM_DIR VOLTA_HOME FNM_DIR PNPM_HOME BUN_INSTALL ' +
  'DOTNET_ROOT GEM_HOME RBENV_ROOT LD_LIBRARY_PATH DYLD_LIBRARY_PATH SSL_CERT_FILE NODE_EXTRA_CA_CERTS ' +
  'LOADOUT_RUN'
).split(' ');

/** The variables that gates see: a fixed list, those that the user names, and `added`. */
export function gateEnvironment(
  env: Environment,
  asked: readonly string[],
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of [...PASSED_ON, ...asked]) if (env[name] !== undefined) kept[name] = env[name];
  for (const [name, value] of Object.entries(env))
    if (name.startsWith('LC_') && value !== undefined) kept[name] = value;
  return { ...kept, CI: '1', TERM: 'dumb', NO_COLOR: '1', ...added };
}
