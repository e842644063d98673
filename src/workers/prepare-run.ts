// Checks a request before anything is started: the repository, the role, the agent's name, the gates and trust. A run
// that would fail anyway is refused here and costs nothing.
import { type AgentStart, plainArgument, type WorkerName } from '../agents/index.ts';
import { createRoleLoader, type Role } from '../context/roles/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { openSafeRoot, type SafeRoot } from '../platform/fs/safe-root.ts';
import { type GitClient, openGit } from '../platform/git/git.ts';
import { untrustedGitEnvironment } from '../platform/git/git-hardening.ts';
import { splitNul } from '../platform/git/git-runner.ts';
import type { GateCommand, RunEnvironment, RunRequest } from './run-request.ts';

/** A request that was checked against the repository: role, agent, permissions and commit. Nothing is started yet. */
export interface PreparedRun {
  readonly root: SafeRoot;
  readonly git: GitClient;
  /** The commit that is checked out. The worker starts from it. */
  readonly commit: string;
  readonly role: Role;
  readonly cli: WorkerName;
  readonly model: string | null;
  /** More options for the agent's command line, from the role. */
  readonly flags: readonly string[];
  readonly permissions: AgentStart['permissions'];
  /** Variables for the agent's git. They restrict it in a repository that is not trusted. */
  readonly gitEnvironment: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Roles that only read: they are read-only unless the request says otherwise. */
const LOOKING_ROLES = new Set(['planner', 'reviewer']);

/** Checks a request and loads its role. Throws a `LoadoutError` for everything that would stop the run. */
export async function prepareRun(request: RunRequest, environment: RunEnvironment): Promise<PreparedRun> {
  const root = openSafeRoot(request.repository);
  const trust = await environment.readTrust(root);
  const { isTrusted } = trust;
  const opening = await openGit(root.path);
  if (opening.kind === 'none') throw noRepository(root.path, opening.detail);
  const git = opening.client;
  const loader = createRoleLoader({
    repository: trust,
    userDirectory: environment.configDirectory,
    ...(environment.maxTokenBudget === undefined ? {} : { maxTokenBudget: environment.maxTokenBudget }),
  });
  const gitEnvironment = isTrusted ? {} : untrustedGitEnvironment();
  const { role, diagnostics } = await loader.load(request.role);
  refuseEmptyGates(role, request.gates ?? []);
  const commit = git.headAtOpening;
  if (commit === null) throw noRepository(root.path, 'its branch has no commit yet');
  const cli = request.cli ?? role.cli;
  // Flags and model of a role are for its own client. Another client would not understand them.
  const isRolesOwn = cli === role.cli;
  refuseUntrusted(role, request.model === undefined && isRolesOwn);
  return {
    ...{ root, git, commit, role, cli, gitEnvironment },
    model: checkModel(request.model ?? (isRolesOwn ? role.config.model : null)),
    flags: isRolesOwn ? role.flags : [],
    permissions:
      request.permissions ?? (LOOKING_ROLES.has(role.baseRole ?? role.name) ? 'read-only' : 'edit'),
    diagnostics: [...diagnostics, ...(isRolesOwn || role.flags.length === 0 ? [] : [otherCli(role, cli)])],
  };
}

/** Refuses a bad name of a model before anything is started. */
function checkModel(model: string | null): string | null {
  return model === null ? null : plainArgument('model', model);
}

/** A repository may name gates, flags and a model only when it is trusted. A model counts only when it would be used. */
function refuseUntrusted({ name, withheld, chain }: Role, usesModel: boolean): void {
  const parts = (['gates', 'flags', ...(usesModel ? (['model'] as const) : [])] as const).filter((part) => {
    const held = withheld[part];
    return held !== null && held.length > 0;
  });
  if (parts.length === 0) return;
  const file = chain.find(({ place }) => place === 'repository')?.file ?? name;
  const asked = parts.map((part) => `${part} ${JSON.stringify(withheld[part])}`).join(' and ');
  throw new LoadoutError('not-trusted', `${file} asks for ${asked}, and this repository is not trusted`, {
    subject: file,
    hint: 'read the file, then run "loadout trust"',
  });
}

/** Refuses empty gates: the shell would run an empty command, and the gate would pass. */
function refuseEmptyGates(role: Role, asked: readonly GateCommand[]): void {
  const isEmpty = (gate: GateCommand) => (typeof gate === 'string' ? gate : (gate[0] ?? '')).trim() === '';
  const refuse = (gate: GateCommand, where: string): never => {
    const message = `${where} has an empty gate: ${JSON.stringify(gate)}. A gate must be a command`;
    throw new LoadoutError('empty-gate', message, {
      subject: where,
      hint: 'name a command, such as "npm test", or leave the gate out',
    });
  };
  for (const gate of asked) if (isEmpty(gate)) refuse(gate, 'The run');
  for (const gate of role.gates) if (isEmpty(gate)) refuse(gate, `The role ${role.name}`);
}

/** The error for a folder without git, or without a commit to start from. */
function noRepository(path: string, detail: string): LoadoutError {
  return new LoadoutError('no-repository', `a worker needs a git repository with a commit: ${detail}`, {
    subject: path,
    hint: 'run "git init" and commit, or name the repository with --repo',
  });
}

/** Flags of the role are for its own CLI. Another CLI would not understand them. */
function otherCli({ cli, flags }: Role, used: string): Diagnostic {
  const message = `the role's flags are for ${cli} and not given to ${used}: ${flags.join(' ')}`;
  return { code: 'flags-left-out', severity: 'warning', message };
}

/**
 * Warns of files that the user has changed and the worker does not see: changes since `commit`, or since what is staged
 * when it is null.
 */
export async function findUnseen(git: GitClient, commit: string | null): Promise<readonly Diagnostic[]> {
  const args = ['diff-index', '--name-only', '--no-renames', '-z'];
  const names =
    commit === null ? git.modifiedFiles() : git.run([...args, commit]).then(({ stdout }) => splitNul(stdout));
  const { length } = await names.catch(() => []);
  if (length === 0) return [];
  const files = `${length} changed ${length === 1 ? 'file is' : 'files are'}`;
  const message =
    commit === null
      ? `${files} not staged: the worker started from what is staged`
      : `${files} not committed: the worker started from the last commit`;
  return [{ code: 'uncommitted-changes', severity: 'warning', message }];
}
