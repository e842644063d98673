import type { OpenScan } from '../../scan/index.ts';
import { createSourceReader } from '../compose/index.ts';
import type { FileSelection, PackageRequest } from '../pack/index.ts';
import type { Role } from '../roles/index.ts';
import { createPromptReader, MAX_FILE_BYTES } from './prompt-limits.ts';
import { FILE_CONTEXT_PRIORITY, priorityOrder } from './prompt-parts.ts';
import { gatherCandidates } from './role-candidates.ts';
import { readRoleChange } from './role-change.ts';
import { resolveRoleFiles } from './role-files.ts';

// Lets a package follow a role: `loadout pack --role` takes the budget and the files of the role.

/** The part of a role that a package uses. */
export interface RoleForPackage {
  readonly name: string;
  /** Null when the role sets none. */
  readonly tokenBudget: number | null;
  readonly select: NonNullable<PackageRequest['select']>;
}

/** Selects the same files as a prompt for the role. `$RELATED` is not needed: a package ranks files anyway. */
export function roleForPackage({ name, context }: Role): RoleForPackage {
  return {
    name,
    tokenBudget: context.tokenBudget,
    select: (scan, targets) => selectFiles(context, scan, targets),
  };
}

async function selectFiles(
  context: Role['context'],
  { index, repository }: OpenScan,
  targets: readonly string[],
): Promise<FileSelection> {
  const change = await readRoleChange(context, repository);
  const changed = change.files.map(({ path }) => path);
  const files = resolveRoleFiles({ index, context, targets, changed });
  // Only names are needed here. The package reads and redacts the files that it shows.
  const sources = createSourceReader({
    index,
    root: repository.root,
    redact: false,
    maxBytes: MAX_FILE_BYTES,
  });
  const { list } = gatherCandidates({
    index,
    sources,
    reader: createPromptReader(repository.root, sources),
    files,
    change: change.files,
    ranked: [],
    taken: new Set([...targets, ...files.always]),
    order: priorityOrder(context.priorityOrder, FILE_CONTEXT_PRIORITY),
  });
  return {
    allow: files.allow,
    always: files.always,
    wanted: list.map(({ candidate: { source, need, reason } }) => ({ path: source.path, need, reason })),
    change: change.wantsDiff ? change.files.filter(({ path }) => files.allow(path)) : [],
    diagnostics: [...change.diagnostics, ...files.diagnostics],
  };
}
