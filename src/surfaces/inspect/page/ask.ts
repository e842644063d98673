/** How the page asks the server: one function, which a static file answers from the data inside it. */
import { useEffect, useState } from 'preact/hooks';
import { questionKey } from '../static-file.ts';
import { storedAnswers, token } from './state.ts';

/** The last answers to the questions of what is shown now, for a file of the view. */
export const shownAnswers = new Map<string, unknown>();

/** Asks one question. Rejects with a sentence for people. */
export async function ask<Answer>(name: string, query: unknown): Promise<Answer> {
  if (storedAnswers) {
    const known = storedAnswers[questionKey(name, query)];
    if (known === undefined)
      throw new Error('This is not in the file. Run "loadout inspect" to look at more.');
    return known as Answer;
  }
  const response = await fetch(`/inspect/data/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(query),
  }).catch(() => {
    throw new Error('The inspector has ended. Start it again with "loadout inspect".');
  });
  const answer = (await response.json()) as {
    value?: Answer;
    problem?: string;
    hint?: string;
    error?: string;
  };
  if (answer.value !== undefined) return answer.value;
  if (response.status === 401) throw new Error('Open the address that "loadout inspect" has printed.');
  throw new Error([answer.problem ?? answer.error ?? 'no answer', answer.hint].filter(Boolean).join(': '));
}

/** The state of a question. */
export interface Asked<Answer> {
  readonly value?: Answer;
  readonly problem?: string;
  readonly isLoading: boolean;
}

/**
 * Asks whenever the query changes, and keeps the last answer until the next is there. Null asks nothing. With `everyMs` it asks
 * again and again.
 */
export function useData<Answer>(name: string, query: unknown, everyMs = 0): Asked<Answer> {
  const [state, setState] = useState<Asked<Answer>>({ isLoading: query !== null });
  const key = query === null ? '' : questionKey(name, query);
  useEffect(() => {
    if (query === null) return setState({ isLoading: false });
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState(({ value }) => (value === undefined ? { isLoading: true } : { value, isLoading: true }));
    const read = async () => {
      try {
        const value = await ask<Answer>(name, query);
        if (!isCurrent) return;
        shownAnswers.set(key, value);
        setState({ value, isLoading: false });
      } catch (error) {
        if (isCurrent)
          setState(({ value }) => ({
            ...(value === undefined ? {} : { value }),
            problem: (error as Error).message,
            isLoading: false,
          }));
      }
      if (isCurrent && everyMs > 0 && !storedAnswers) timer = setTimeout(read, everyMs);
    };
    void read();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      shownAnswers.delete(key);
    };
  }, [name, key]);
  return state;
}
