import type { EdgeList } from '../../model/file-links.ts';
import type { IndexView } from '../../model/index-view.ts';

/** For a file: the strongest file that uses it, that it uses, that tests it, that lies beside it; empty if none. */
export interface NeighbourNames {
  user(file: number): string;
  used(file: number): string;
  test(file: number): string;
  beside(file: number): string;
}

/** Only strong files are named: a weak one was no reason. */
const STRONG = 0.2;
const MOST_STRONG = 50;

export function createNeighbourNames(
  { snapshot: { files }, links }: IndexView,
  strength: Float64Array,
  mayName: (path: string) => boolean,
): NeighbourNames {
  const least = STRONG * strength.reduce((most, value) => Math.max(most, value), 0);
  const strong = [...strength.keys()]
    .filter((file) => strength[file]! > 0 && strength[file]! >= least && mayName(files[file]!.path))
    .sort((a, b) => strength[b]! - strength[a]! || a - b);
  const isTest = (file: number) => files[file]!.classification.role === 'test';
  const sources = strong.filter((file) => !isTest(file)).slice(0, MOST_STRONG);
  const tests = strong.filter(isTest).slice(0, MOST_STRONG);
  const nameOf = (file: number | undefined) => (file === undefined ? '' : files[file]!.path);
  const others = (file: number) => sources.filter((one) => one !== file);
  return {
    user: (file) => nameOf(others(file).find((one) => leadsTo(links.definers, one, file))),
    used: (file) => nameOf(others(file).find((one) => leadsTo(links.definers, file, one))),
    test: (file) => nameOf(tests.find((one) => leadsTo(links.tests, one, file))),
    beside: (file) => {
      const folder = folderOf(files[file]!.path);
      return nameOf(others(file).find((one) => folderOf(files[one]!.path) === folder));
    },
  };
}

function leadsTo({ starts, targets }: EdgeList, from: number, to: number): boolean {
  return targets.subarray(starts[from], starts[from + 1]).includes(to);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
