/** The files with the largest values, largest first; of equal ones the first. Files with 0 are none of them. */
export function strongestFiles(strength: Float64Array, most: number): number[] {
  let found: number[] = [];
  for (let file = 0; file < strength.length; file++) if (strength[file]! > 0) found.push(file);
  if (found.length > 4 * most) {
    // numbers alone sort much faster: those below the last wanted one need no place
    const sorted = Float64Array.from(found, (file) => strength[file]!).sort();
    const least = sorted[sorted.length - most]!;
    found = found.filter((file) => strength[file]! >= least);
  }
  return found.sort((a, b) => strength[b]! - strength[a]! || a - b).slice(0, most);
}
