import { badPattern, type PatternNode, parsePattern } from './parse-pattern.ts';

/** A state waits for one character, branches, asserts a place, or accepts. */
type State =
  | { readonly kind: 'character'; readonly accepts: (code: number) => boolean; next: number }
  | { readonly kind: 'branch'; next: number; other: number }
  | { readonly kind: 'start' | 'end'; next: number }
  | { readonly kind: 'accept' };

interface Step {
  readonly states: readonly number[];
  readonly accepts: boolean;
  readonly acceptsAtEnd: boolean;
  readonly after: Map<number, Step>;
}

const MOST_STATES = 1_000;
/** Steps that are remembered; beyond them they are made again, so that memory stays bounded. */
const MOST_STEPS = 4_000;
/** States looked at for steps that were not remembered: half a second or so. */
const MOST_WORK = 5_000_000;

export interface LinePattern {
  /**
   * Whether the pattern occurs in a line: time is linear in the line, whatever the pattern. Throws a
   * `LoadoutError` when a large pattern and a long text come together and it would take too long all the same.
   */
  test(line: string): boolean;
}

/**
 * Compiles a regular expression of the safe subset: literals, `.`, classes, `\d \w \s`, groups, `|`, `* + ?`,
 * `{m,n}`, `^` and `$`. There are no back references and no look-around, so nothing can backtrack.
 * Throws a `LoadoutError` for anything else.
 */
export function compileLinePattern(pattern: string, ignoreCase = false): LinePattern {
  const states: State[] = [];
  const add = (state: State): number => {
    if (states.length >= MOST_STATES) throw badPattern(pattern, 'it takes too many states');
    return states.push(state) - 1;
  };
  // built backwards: each node is given the state that follows it
  const build = (node: PatternNode, next: number): number => {
    switch (node.kind) {
      case 'character':
        return add({ kind: 'character', accepts: node.accepts, next });
      case 'sequence':
        return node.parts.reduceRight((after, part) => build(part, after), next);
      case 'choice': {
        const entries = node.parts.map((part) => build(part, next));
        return entries.reduceRight((other, entry) => add({ kind: 'branch', next: entry, other }));
      }
      case 'repeat': {
        let entry = next;
        if (node.most === null) {
          const loop = add({ kind: 'branch', next, other: next });
          (states[loop] as { next: number }).next = build(node.part, loop);
          entry = loop;
        } else {
          for (let count = node.least; count < node.most; count++)
            entry = add({ kind: 'branch', next: build(node.part, entry), other: next });
        }
        for (let count = 0; count < node.least; count++) entry = build(node.part, entry);
        return entry;
      }
      default:
        return add({ kind: node.kind, next });
    }
  };
  const first = build(parsePattern(pattern, ignoreCase), add({ kind: 'accept' }));
  return matcher(states, first, pattern);
}

function matcher(states: readonly State[], first: number, pattern: string): LinePattern {
  let work = 0;
  const closure = (entries: Iterable<number>, atStart: boolean, atEnd: boolean): Set<number> => {
    const found = new Set<number>(entries);
    // a Set may grow while it is walked
    for (const at of found) {
      const state = states[at]!;
      if (state.kind === 'branch') found.add(state.next).add(state.other);
      else if ((state.kind === 'start' && atStart) || (state.kind === 'end' && atEnd)) found.add(state.next);
    }
    return found;
  };
  const isAccepting = (found: Set<number>) => [...found].some((at) => states[at]!.kind === 'accept');
  let steps = new Map<string, Step>();
  const stepOf = (entries: Set<number>, atStart: boolean): Step => {
    const found = closure(entries, atStart, false);
    work += found.size;
    if (work > MOST_WORK) throw badPattern(pattern, 'it takes too long on this text');
    const waiting = [...found].filter((at) => states[at]!.kind === 'character').sort((a, b) => a - b);
    const accepts = isAccepting(found);
    const acceptsAtEnd = accepts || isAccepting(closure(entries, atStart, true));
    const key = `${waiting.join()} ${accepts} ${acceptsAtEnd}`;
    const known = steps.get(key);
    if (known !== undefined) return known;
    if (steps.size >= MOST_STEPS) steps = new Map();
    const step: Step = { states: waiting, accepts, acceptsAtEnd, after: new Map() };
    steps.set(key, step);
    return step;
  };
  const begin = stepOf(new Set([first]), true);
  const advance = (step: Step, code: number): Step => {
    const known = step.after.get(code);
    if (known !== undefined) return known;
    // the pattern may also begin here: a search, not a match of the whole line
    const entries = new Set<number>([first]);
    for (const at of step.states) {
      const state = states[at]!;
      if (state.kind === 'character' && state.accepts(code)) entries.add(state.next);
    }
    const next = stepOf(entries, false);
    if (step.after.size < MOST_STEPS) step.after.set(code, next);
    return next;
  };
  return {
    test(line) {
      let step = begin;
      for (let at = 0; at < line.length && !step.accepts; ) {
        const code = line.codePointAt(at)!;
        step = advance(step, code);
        at += code > 0xffff ? 2 : 1;
      }
      return step.accepts || step.acceptsAtEnd;
    },
  };
}
