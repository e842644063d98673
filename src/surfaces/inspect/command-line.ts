/** A package as a line for a shell, so that what a person chose in the page can be built again. */

import type { PackageQuery } from './package-data.ts';

/** `flags` are those of the inspector itself that change what a package holds. */
export function packCommand(
  { task, budget, pinned, excluded, forms }: PackageQuery,
  flags: readonly string[],
): string {
  const words = ['loadout', 'pack', quoted(task), ...flags.map(quoted)];
  if (budget > 0) words.push('--budget', String(budget));
  if (pinned.length > 0) words.push('--target', ...pinned.map(named));
  const shown = Object.entries(forms).filter(([path]) => !excluded.includes(path));
  if (shown.length > 0) words.push('--form', ...shown.map(([path, form]) => named(`${path}=${form}`)));
  if (excluded.length > 0) words.push('--exclude', ...excluded.map((path) => quoted(pattern(path))));
  return words.join(' ');
}

/** A path as a pattern that matches this file and no other. */
function pattern(path: string): string {
  const literal = path.replace(/[\\*?[\]{}]/g, '\\$&');
  // Without a slash it would match names at any depth.
  return literal.includes('/') ? literal : `/${literal}`;
}

/** A path that begins like a flag would be taken for one. */
const named = (path: string): string => quoted(path.startsWith('-') ? `./${path}` : path);

const quoted = (word: string): string =>
  /^[\w./@=:,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
