/** Lines of context around a change. */
const CONTEXT = 2;
/** Beyond this, finding the shortest difference takes longer than anybody waits. */
const MAX_CELLS = 4_000_000;

interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** What changes in a text, for people: changed lines with their neighbours, `...` where something is left out. */
export function lineDiff(before: string, after: string): readonly string[] {
  const [a, b] = [split(before), split(after)];
  const all = compare(a, b);
  const isNear = (at: number) =>
    all.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' ');
  const shown: string[] = [];
  let hasGap = false;
  all.forEach(({ sign, text }, at) => {
    if (isNear(at)) {
      shown.push(`${sign} ${text}`);
      hasGap = false;
    } else if (!hasGap) {
      shown.push('  ...');
      hasGap = true;
    }
  });
  return shown;
}

function split(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function compare(a: readonly string[], b: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = (text: string): DiffLine => ({ sign: ' ', text });
  const middle = shortest(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
}

function shortest(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ sign: '-', text });
  const added = (text: string): DiffLine => ({ sign: '+', text });
  if (a.length * b.length > MAX_CELLS) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i++]! });
      j++;
    } else if (j >= b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      lines.push(removed(a[i++]!));
    else lines.push(added(b[j++]!));
  }
  return lines;
}
