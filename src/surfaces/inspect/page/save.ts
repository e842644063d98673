/** Saves what is shown, and puts text on the clipboard. */
import { signal } from '@preact/signals';
import { staticFile } from '../static-file.ts';
import { shownAnswers } from './ask.ts';
import { stateNow } from './state.ts';

/** What became of the last copy or download, for all readers. */
export const said = signal('');

export function copy(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => {
      said.value = 'Copied.';
    },
    () => {
      said.value = 'The browser did not allow it; use Download.';
    },
  );
}

export function download(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The view as one file, as `loadout inspect --static` writes it. The answers came without secrets. */
export async function saveView(): Promise<void> {
  const part = async (name: string) => (await fetch(`/inspect/${name}`)).text();
  const [script, style] = await Promise.all([part('app.js'), part('app.css')]);
  const state = stateNow();
  const data = JSON.stringify({ state, answers: Object.fromEntries(shownAnswers) });
  download(`loadout-${state.view}.html`, 'text/html', staticFile(script, style, data));
}
