/** Where a person is in the page, and what was chosen there. A reload keeps it, and a static file begins with it. */
import { effect, signal } from '@preact/signals';
import { jsonOrNull } from '../../../model/read-json.ts';
import { FIRST_STATE, type PageState, type StaticAnswers } from '../static-file.ts';

const inside = document.getElementById('answers')?.textContent;
const stored: StaticAnswers | null = inside ? (jsonOrNull(inside) as StaticAnswers) : null;
/** The answers of a file without a server; null with one. */
export const storedAnswers = stored?.answers ?? null;
export const isStatic = stored !== null;

const KEPT = 'loadout-state';
const given = new URLSearchParams(location.hash.slice(1));

/** The token leaves the address bar, and stays for a reload of this tab. */
export const token = isStatic ? '' : (given.get('token') ?? sessionStorage.getItem('loadout-token') ?? '');
const first = firstState();
if (given.has('token')) {
  sessionStorage.setItem('loadout-token', token);
  history.replaceState(null, '', location.pathname);
}

/** What the file or the address says; else what this tab had before it was loaded again. */
function firstState(): PageState {
  if (stored) return { ...FIRST_STATE, ...stored.state };
  if (!given.has('token'))
    return {
      ...FIRST_STATE,
      ...(jsonOrNull(sessionStorage.getItem(KEPT) ?? '{}') as Partial<PageState> | null),
    };
  const texts = ['view', 'task', 'file', 'path'].flatMap((name) => {
    const value = given.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { ...FIRST_STATE, ...Object.fromEntries(texts) };
}

export const view = signal(first.view);
export const task = signal(first.task);
export const budget = signal(first.budget);
export const pinned = signal(first.pinned);
export const excluded = signal(first.excluded);
export const forms = signal(first.forms);
export const file = signal(first.file);
export const path = signal(first.path);
export const run = signal(first.run);

export const stateNow = (): PageState => ({
  ...{ view: view.value, task: task.value, budget: budget.value, pinned: pinned.value },
  ...{ excluded: excluded.value, forms: forms.value, file: file.value, path: path.value, run: run.value },
});

effect(() => {
  const state = stateNow();
  if (!isStatic) sessionStorage.setItem(KEPT, JSON.stringify(state));
});

/** Shows why a file is where it is. */
export function explain(name: string): void {
  path.value = name;
  view.value = 'why';
}
