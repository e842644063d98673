import type { Gap } from '../../context/evaluate/gaps.ts';
import { printable } from './printable.ts';

const MAX_SHOWN = 10;
const MAX_TASK = 60;

/** What agents said they were missing, newest first. */
export function formatGaps(gaps: readonly Gap[]): readonly string[] {
  if (gaps.length === 0) return [];
  const newest = [...gaps].reverse();
  const lines = newest.slice(0, MAX_SHOWN).map(({ text, task, package: id }) => {
    const [title = ''] = task.trim().split('\n');
    const of = title === '' ? `package ${id}` : title.slice(0, MAX_TASK);
    return `  ${printable(text.replace(/\s+/g, ' '))}  (${printable(of)})`;
  });
  const more = gaps.length > MAX_SHOWN ? [`  and ${gaps.length - MAX_SHOWN} more`] : [];
  return ['', `${gaps.length} reported as missing, newest first`, ...lines, ...more];
}
