/** One file that shows a view without a server and without a network. The command and the page both write it. */

/** Where a person is in the page, and what was chosen there. */
export interface PageState {
  readonly view: string;
  readonly task: string;
  readonly budget: number;
  readonly pinned: readonly string[];
  readonly excluded: readonly string[];
  readonly forms: Readonly<Record<string, string>>;
  /** The file whose lines are shown; empty for none. */
  readonly file: string;
  /** The file that the view Why is about; empty for the first of the ranking. */
  readonly path: string;
  /** The run that is open; empty for none. */
  readonly run: string;
}

export const FIRST_STATE: PageState = {
  ...{
    view: 'package',
    task: '',
    budget: 0,
    pinned: [],
    excluded: [],
    forms: {},
    file: '',
    path: '',
    run: '',
  },
};

/** What the page reads in place of asking a server. */
export interface StaticAnswers {
  readonly state: PageState;
  /** By the key of their question. */
  readonly answers: Readonly<Record<string, unknown>>;
}

export const questionKey = (name: string, query: unknown): string => `${name} ${JSON.stringify(query)}`;

/** `data` is `StaticAnswers` as JSON, without secrets. */
export function staticFile(script: string, style: string, data: string): string {
  const policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
  // A "<" could end the script element.
  const inert = data.replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Loadout inspector</title><meta name="viewport" content="width=device-width"><meta http-equiv="content-security-policy" content="${policy}"><link rel="icon" href="data:,"><style>${style}</style></head><body><div id="app"></div><script id="answers" type="application/json">${inert}</script><script>${script.replaceAll('</script', '<\\/script')}</script></body></html>\n`;
}
