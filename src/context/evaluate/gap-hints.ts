import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { analyzeTask } from '../analyze/analyze-task.ts';
import type { FileHint } from '../rank/file-hints.ts';
import type { Gap } from './gaps.ts';

/** Share of the words of one task that the other must have for its gaps to be worth a hint. */
const MIN_RESEMBLANCE = 0.3;
const MAX_HINTS = 8;

/** What earlier tasks like this one lacked, the most alike first. */
export function gapHints(task: TaskAnalysis, gaps: readonly Gap[]): readonly FileHint[] {
  const hints = gaps.flatMap((gap): FileHint[] => {
    if (gap.task === '') return [];
    const strength = resemblance(task, analyzeTask(gap.task));
    if (strength < MIN_RESEMBLANCE) return [];
    const { paths, symbols } = analyzeTask(gap.text);
    if (paths.length === 0 && symbols.length === 0) return [];
    return [{ strength, paths, symbols, reason: `an earlier task like this lacked it: “${cut(gap.text)}”` }];
  });
  return hints.sort((a, b) => b.strength - a.strength).slice(0, MAX_HINTS);
}

/** Of the weight of both tasks' keywords, the share that they have in common. */
function resemblance(one: TaskAnalysis, other: TaskAnalysis): number {
  const weights = new Map(one.keywords.map(({ word, weight }) => [word, weight]));
  let common = 0;
  let all = one.keywords.reduce((sum, { weight }) => sum + weight, 0);
  for (const { word, weight } of other.keywords) {
    const shared = Math.min(weight, weights.get(word) ?? 0);
    common += shared;
    all += weight - shared;
  }
  return all === 0 ? 0 : common / all;
}

const MAX_SHOWN = 80;

function cut(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
