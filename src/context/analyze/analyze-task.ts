import { LoadoutError } from '../../model/loadout-error.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { freezeDeeply } from './freeze-deeply.ts';
import { limitText } from './limit-text.ts';
import { pathMentions } from './path-mentions.ts';
import { quotedTexts } from './quoted-text.ts';
import { readPassages } from './read-passages.ts';
import { stackFrames } from './stack-frames.ts';
import { symbolMentions } from './symbol-mentions.ts';
import { taskAction } from './task-action.ts';
import { type DomainContext, namedPlaces, taskDomains } from './task-domains.ts';
import { taskKeywords } from './task-keywords.ts';
import { taskSubjects } from './task-subjects.ts';
import { taskWords } from './task-words.ts';

/**
 * Reads what a task text says by itself: nothing is looked up. Of a very long text (a pasted log) only the head and
 * the tail are read; `text` has all of it.
 */
export function analyzeTask(text: string, context: DomainContext = {}): TaskAnalysis {
  if (typeof text !== 'string')
    throw new LoadoutError(
      'bad-task',
      `the task must be a text, not ${text === null ? 'null' : typeof text}`,
    );
  const { title, label, passages, addresses, fences, lines } = readPassages(limitText(text));
  const lead = passages
    .filter(({ zone }) => zone === 'lead')
    .map((passage) => passage.text)
    .join('\n');
  const paths = pathMentions(passages, addresses);
  const symbols = symbolMentions(passages);
  const frames = stackFrames(lines);
  const quotes = quotedTexts(lines);
  const words = taskWords(passages, addresses);
  const hasTraceOrError = frames.length > 0 || lines.some(({ isError }) => isError);
  const action = taskAction({ title, label, lead, hasTraceOrError });
  return freezeDeeply({
    text,
    title,
    paths,
    symbols,
    frames,
    quotes,
    fences: [...fences],
    words,
    keywords: taskKeywords(words, symbols),
    action,
    about: taskSubjects(title, label, lead, action),
    domains: taskDomains(context, paths, frames, words),
    places: [...namedPlaces(context)],
  });
}
