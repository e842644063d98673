/** The parts of a prompt that hold files, the most important first: the last one is left out first. */
export const FILE_CONTEXT_PRIORITY = [
  'target_file',
  'git_diff',
  'changed_files',
  'imports',
  'related',
  'files',
  'tree',
] as const;
export type FilePartKey = (typeof FILE_CONTEXT_PRIORITY)[number];

/** Never left out, whatever the budget. */
export const PROTECTED_KEYS: ReadonlySet<string> = new Set(['system_prompt', 'task', 'always_include']);

/** What roles call parts of the whole prompt; null means that it has no place among the files. */
const PRIORITY_KEY_MAP: ReadonlyMap<string, FilePartKey | null> = new Map<string, FilePartKey | null>([
  ...FILE_CONTEXT_PRIORITY.map((key) => [key, key] as const),
  ...['system_prompt', 'task_description', 'task', 'readme', 'docs', 'standards'].map(
    (key) => [key, null] as const,
  ),
]);

/**
 * The order in which parts matter: what the role lists first, then the usual order for the rest. A role that lists
 * nothing of what is there gets the usual order. Keys that are in neither, such as `test_output`, are left out first.
 */
export function priorityOrder(roleOrder: readonly string[], present: Iterable<string>): readonly string[] {
  const keys = new Set(present);
  const listed = roleOrder.flatMap((key) => {
    const mapped = PRIORITY_KEY_MAP.has(key) ? PRIORITY_KEY_MAP.get(key)! : key;
    return mapped !== null && keys.has(mapped) ? [mapped] : [];
  });
  return [...new Set([...listed, ...FILE_CONTEXT_PRIORITY])];
}
