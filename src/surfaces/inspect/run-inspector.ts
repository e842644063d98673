/** Opens the index of a repository and serves the inspector on this machine until the signal aborts. */

import { builtProgram, parserNodeOptions } from '../../platform/host.ts';
import { openIndexSession } from '../../scan/index.ts';
import { accessToken, startLoopbackServer } from '../server/index.ts';
import type { InspectContext } from './context.ts';
import { createInspectRoutes, PAGE_PATH, readPageFile } from './routes.ts';
import { type StaticRequest, staticPage } from './static-page.ts';

/** What this file opens itself. */
type Opened = 'session' | 'packages' | 'rankings' | 'highlighter';

/** The options of `loadout inspect`. */
interface InspectorOptions extends Omit<InspectContext, Opened>, StaticRequest {
  /** 0 takes a free port. */
  readonly port: number;
  readonly log: (line: string) => void;
  /** Called with the address, token included, when the server listens. */
  readonly onReady: (address: string) => void;
}

/** Serves the page until the signal aborts. */
export async function runInspector(options: InspectorOptions): Promise<void> {
  const { port, environment, signal, task, view, file, log, onReady } = options;
  await withContext(options, async (context) => {
    const { token } = accessToken(environment);
    const server = await startLoopbackServer({ port, token, routes: createInspectRoutes(context), log });
    const start = { task, view: view === 'package' ? '' : view, [view === 'why' ? 'path' : 'file']: file };
    const fragment = new URLSearchParams({ token, ...start });
    for (const [name, value] of [...fragment]) if (value === '') fragment.delete(name);
    onReady(`http://127.0.0.1:${server.port}${PAGE_PATH}#${fragment}`);
    // The first question of the page should not wait for the scan.
    context.session.use(() => {}).catch((error: Error) => log(error.message));
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await server.close();
  });
}

/** A view with its data as one file. */
export async function inspectAsFile(options: Omit<InspectorOptions, 'port' | 'onReady'>): Promise<string> {
  return withContext(options, (context) => staticPage(context, options, readPageFile));
}

async function withContext<Answer>(
  options: Omit<InspectContext, Opened>,
  use: (context: InspectContext) => Promise<Answer>,
): Promise<Answer> {
  const { repo, settings } = options;
  const session = await openIndexSession({ repo, settings, mode: settings.scanMode }, 'watched');
  const { openHighlighter } = await import('../../scan/pool/highlighter.ts');
  const highlighter = openHighlighter({
    workerModule: builtProgram('scan-worker.js'),
    nodeOptions: parserNodeOptions(),
    codeFolder: `${settings.cacheDir}/code`,
  });
  try {
    return await use({ ...options, session, packages: new Map(), rankings: new Map(), highlighter });
  } finally {
    highlighter.close();
    await session.close();
  }
}
