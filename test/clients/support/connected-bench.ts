import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ProcessResult, runProcess } from '../../../src/platform/process/process-runner.ts';
import { type HookRecord, readHookRecords } from '../../../src/surfaces/hook/index.ts';
import { gitIn } from '../../support/temporary-repository.ts';
import { type ModelStub, startModelStub } from '../stub/model-stub.ts';
import type { Scenario, ScenarioName } from '../stub/scenarios.ts';

export const CONNECTED_CLIENTS = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen'] as const;
export type ConnectedClient = (typeof CONNECTED_CLIENTS)[number];
export type Files = Readonly<Record<string, string>>;

/** Another build can be tried by the path of its `loadout.js`. */
const BIN = process.env.LOADOUT_CLIENT_TEST_BIN || join(import.meta.dirname, '../../../bin/loadout.js');
const MAX_RUN_MS = 100_000;

/** The user's consent as flags: each client asks for it once, in its own window. */
const CONSENT: Readonly<Record<ConnectedClient, readonly string[]>> = {
  claude: ['--settings', '{"enabledMcpjsonServers":["loadout"]}', '--allowedTools', 'mcp__loadout'],
  codex: ['--dangerously-bypass-hook-trust'],
  gemini: ['--approval-mode', 'yolo'],
  opencode: [],
  copilot: ['--trust-folder', '--allow-all-tools'],
  qwen: ['--approval-mode', 'yolo'],
};

const HEADLESS: Readonly<Record<ConnectedClient, readonly string[]>> = {
  claude: ['-p', '--output-format', 'json'],
  codex: ['exec', '--json'],
  gemini: ['-p', '', '-o', 'json', '-m', 'stub-model'],
  opencode: ['run', '--format', 'json'],
  copilot: ['--output-format', 'json', '--no-ask-user', '--no-auto-update'],
  qwen: ['-o', 'json', '--auth-type', 'openai'],
};

export interface ClientRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A repository, a user with an empty home and `loadout` on the PATH, and a stub that the user's clients talk to. */
export class ConnectedBench {
  readonly stub: ModelStub;
  readonly home: string;
  readonly repository: string;
  readonly env: Record<string, string>;

  private constructor(stub: ModelStub, root: string, files: Files) {
    this.stub = stub;
    this.home = join(root, 'home');
    this.repository = join(root, 'repository');
    mkdirSync(join(this.home, 'bin'), { recursive: true });
    mkdirSync(this.repository);
    this.write(files);
    const git = gitIn(this.repository);
    git('init', '--quiet', '--initial-branch=main');
    git('add', '--all');
    git('commit', '--quiet', '--message=start');
    const environment = stub.environment(this.home);
    const path = `${join(this.home, 'bin')}:${environment.PATH}`;
    this.env = { ...environment, PATH: path, CLAUDE_CODE_MAX_RETRIES: '1', DISABLE_AUTOUPDATER: '1' };
    const program = join(this.home, 'bin/loadout');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
    chmodSync(program, 0o755);
  }

  static async open(scenario: ScenarioName | Scenario, files: Files): Promise<ConnectedBench> {
    if (!existsSync(join(dirname(BIN), '../dist/cli.cjs')))
      throw new Error('dist/ is missing: run "npm run build" first');
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-connected-')));
    return new ConnectedBench(await startModelStub(scenario), root, files);
  }

  write(files: Files): void {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.repository, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  }

  loadout(...args: readonly string[]): string {
    const options = { cwd: this.repository, env: this.env, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('loadout', args, options);
  }

  /** As a user would: the index first, so that the first hook has something to answer from. */
  connect(client: ConnectedClient, scope: 'project' | 'user' = 'project'): void {
    this.loadout('scan', '--quiet');
    this.loadout('init', client, '--yes', '--scope', scope);
    this.#trustFolder(client);
  }

  /** As the client writes it down after its user has said yes. */
  #trustFolder(client: ConnectedClient): void {
    const gemini = JSON.stringify({ [this.repository]: 'TRUST_FOLDER' });
    const codex = `\n[projects.${JSON.stringify(this.repository)}]\ntrust_level = "trusted"\n`;
    const settings = join(this.home, '.codex/config.toml');
    const isTrusted = readFileSync(settings, 'utf8').includes(codex);
    if (client === 'codex' && !isTrusted) appendFileSync(settings, codex);
    if (client === 'gemini') writeFileSync(join(this.home, '.gemini/trustedFolders.json'), gemini);
  }

  async ask(
    client: ConnectedClient,
    prompt: string,
    options: {
      readonly env?: Readonly<Record<string, string>>;
      readonly flags?: readonly string[];
      /** The user has agreed to the folder and to nothing else. */
      readonly isUnasked?: boolean;
    } = {},
  ): Promise<ClientRun> {
    const consent = options.isUnasked ? [] : CONSENT[client];
    const flags = [...HEADLESS[client], ...consent, ...(options.flags ?? [])];
    const args = client === 'codex' ? [...flags, '-'] : flags;
    const result: ProcessResult = await runProcess(client, args, {
      cwd: this.repository,
      env: { ...this.env, ...options.env },
      input: prompt,
      timeoutMs: MAX_RUN_MS,
    });
    return {
      exitCode: result.exitCode,
      stdout: result.stdout.toString(),
      stderr: result.stderr.toString(),
    };
  }

  /** A file in the configuration directory of the user. */
  userFile(name: string, content: string): void {
    const path = join(this.home, '.config/loadout', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  /** A guideline of the user. */
  guideline(id: string, condition: Readonly<Record<string, unknown>>, instruction: string): void {
    this.#guideline(id, condition, { type: 'instruction', instruction });
  }

  /** A guideline of the user that refuses tools. */
  refuse(tools: readonly string[], instruction: string): void {
    this.#guideline('refused', {}, { type: 'tool_restriction', tools, instruction });
  }

  #guideline(id: string, condition: unknown, action: unknown): void {
    const rest = { name: id, description: id, enabled: true, category: 'test', priority: 50 };
    this.userFile(`guidelines/${id}.json`, JSON.stringify({ id, ...rest, condition, action }));
  }

  /** Why hooks gave no answer, for the message of a test that fails. */
  hookLog(): string {
    const path = join(this.env.LOADOUT_CACHE_DIR ?? '', 'hook/log.jsonl');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** The hook records of the repository. */
  records(): readonly HookRecord[] {
    return readHookRecords(this.env.LOADOUT_CACHE_DIR ?? '', this.repository);
  }

  async close(): Promise<void> {
    await this.stub.close();
    rmSync(dirname(this.home), { recursive: true, force: true });
  }
}
