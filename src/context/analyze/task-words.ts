import type { TaskWord, TaskZone } from '../../model/task-analysis.ts';
import type { Passage, TaskAddress } from './passage.ts';
import { wordRuns } from './word-runs.ts';

/** Every word as written, once per zone, in order of appearance; words of addresses count as boilerplate. */
export function taskWords(passages: readonly Passage[], addresses: readonly TaskAddress[]): TaskWord[] {
  const found: { word: string; zone: TaskZone; count: number }[] = [];
  const places = new Map<TaskZone, Map<string, number>>();
  function add(text: string, zone: TaskZone): void {
    const known = places.get(zone) ?? new Map<string, number>();
    places.set(zone, known);
    for (const word of wordRuns(text)) {
      const place = known.get(word);
      if (place !== undefined) found[place]!.count++;
      else known.set(word, found.push({ word, zone, count: 1 }) - 1);
    }
  }
  for (const { text, zone } of passages) add(text, zone);
  for (const { url } of addresses) add(url, 'boilerplate');
  return found;
}
