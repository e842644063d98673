/** `3 folders (a, b, c)`; after three names it stops counting them out. */
export function summarizePaths(paths: readonly string[], noun: string): string {
  const shown = paths.slice(0, 3).map((path) => (path === '' ? '.' : path));
  const rest = paths.length > shown.length ? ', …' : '';
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${paths.length} ${paths.length === 1 ? noun : plural} (${shown.join(', ')}${rest})`;
}
