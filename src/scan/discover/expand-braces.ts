const MOST_ALTERNATIVES = 1_000;

/**
 * `a{b,c}d` becomes `abd` and `acd`, nested braces included; a brace without a comma stays as it is written.
 * Null when the alternatives multiply beyond what is sensible.
 */
export function expandBraces(pattern: string): readonly string[] | null {
  const done: string[] = [];
  const open = [pattern];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    const group = findGroup(current);
    if (group === null) {
      done.push(current);
    } else {
      // Pushed in reverse, so that the alternatives come out in the order written.
      for (const alternative of group.alternatives.toReversed()) {
        open.push(current.slice(0, group.start) + alternative + current.slice(group.end));
      }
    }
    if (done.length + open.length > MOST_ALTERNATIVES) return null;
  }
  return done;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly alternatives: readonly string[];
}

/** The first group that has a comma of its own. */
function findGroup(pattern: string): Group | null {
  const starts: { at: number; commas: number[] }[] = [];
  let found: Group | null = null;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') {
      at += 1;
    } else if (character === '{') {
      starts.push({ at, commas: [] });
    } else if (character === ',') {
      starts.at(-1)?.commas.push(at);
    } else if (character === '}') {
      const start = starts.pop();
      if (start === undefined || start.commas.length === 0) continue;
      found = {
        start: start.at,
        end: at + 1,
        alternatives: slices(pattern, [start.at, ...start.commas, at]),
      };
      // An outer group may still close around this one; it has to be taken apart first.
      if (!starts.some((outer) => outer.commas.length > 0)) return found;
    }
  }
  return found;
}

function slices(pattern: string, marks: readonly number[]): readonly string[] {
  return marks.slice(0, -1).map((mark, i) => pattern.slice(mark + 1, marks[i + 1]));
}
