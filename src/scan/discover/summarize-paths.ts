const MAX_SHOWN = 100;

/** `3 folders (a, b, c)`; after three names it stops counting them out. */
export function summarizePaths(paths: readonly string[], noun: string): string {
  const rest = paths.length > 3 ? ', …' : '';
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${paths.length} ${paths.length === 1 ? noun : plural} (${paths.slice(0, 3).map(shorten).join(', ')}${rest})`;
}

function shorten(path: string): string {
  if (path === '') return '.';
  return path.length <= MAX_SHOWN ? path : `…${path.slice(-MAX_SHOWN)}`;
}
