/** User and group that own nothing, on every system that has numbers for users. */
const NOBODY = 65_534;

/**
 * Does something without the rights of root, which permissions do not stop. Any other user just does it.
 * A promise keeps the lesser rights until it settles.
 */
export function asNobody<T>(work: () => T): T {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  const restore = () => process.seteuid?.(0);
  let result: T;
  try {
    result = work();
  } catch (error) {
    restore();
    throw error;
  }
  if (result instanceof Promise) return result.finally(restore) as T;
  restore();
  return result;
}
