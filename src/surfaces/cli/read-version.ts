import { readFileSync } from 'node:fs';

/** The version in the package's own manifest, wherever in the package this file has been put. */
export function readVersion(): string {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const manifest = manifestIn(folder);
    if (manifest?.name === 'loadout' && typeof manifest.version === 'string') return manifest.version;
    if (folder.pathname === new URL('..', folder).pathname) return 'unknown';
  }
}

function manifestIn(folder: URL): { readonly name?: unknown; readonly version?: unknown } | null {
  try {
    return JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  } catch {
    return null;
  }
}
