/** How the page asks the server: one function, which a static file answers from the data inside it. */

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { readJson } from '../../../model/read-json.ts';

const inside = document.getElementById('answers')?.textContent;
const read = inside ? readJson(inside) : null;
const answers = read?.kind === 'json' ? (read.value as Record<string, unknown>) : null;
export const isStatic = answers !== null;

const given = new URLSearchParams(location.hash.slice(1));
const token = given.get('token') ?? sessionStorageToken();
/** The task of all views. */
export const task = signal(answers ? String(answers.task) : (given.get('task') ?? ''));

/** The token leaves the address bar, and stays for a reload of this tab. */
function sessionStorageToken(): string {
  return answers ? '' : (sessionStorage.getItem('loadout-token') ?? '');
}
if (!answers && given.has('token')) {
  sessionStorage.setItem('loadout-token', token);
  history.replaceState(null, '', location.pathname);
}

/** Asks one question. Rejects with a sentence for people. */
export async function ask<Answer>(name: string, query: unknown): Promise<Answer> {
  if (answers) {
    const known = answers[`${name} ${JSON.stringify(query)}`];
    if (known === undefined)
      throw new Error('This file has no server behind it. Run "loadout inspect" to change things.');
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
  throw new Error([answer.problem ?? answer.error ?? 'no answer', answer.hint].filter(Boolean).join(': '));
}

/** The state of a question. */
export interface Asked<Answer> {
  readonly value?: Answer;
  readonly problem?: string;
  readonly isLoading: boolean;
}

/** Asks whenever the query changes, and keeps the last answer until the next is there. Null asks nothing. */
export function useData<Answer>(name: string, query: unknown): Asked<Answer> {
  const [state, setState] = useState<Asked<Answer>>({ isLoading: query !== null });
  const key = JSON.stringify(query);
  useEffect(() => {
    if (query === null) return setState({ isLoading: false });
    let isCurrent = true;
    setState(({ value }) => (value === undefined ? { isLoading: true } : { value, isLoading: true }));
    ask<Answer>(name, query).then(
      (value) => isCurrent && setState({ value, isLoading: false }),
      (error: Error) => isCurrent && setState({ problem: error.message, isLoading: false }),
    );
    return () => {
      isCurrent = false;
    };
  }, [name, key]);
  return state;
}
