/** Opens the index of a repository and serves the inspector on this machine until the signal aborts. */

import { openIndexSession } from '../../scan/index.ts';
import { accessToken, startLoopbackServer } from '../server/index.ts';
import type { InspectContext } from './context.ts';
import { createInspectRoutes, PAGE_PATH, staticPage } from './routes.ts';

/** The options of `loadout inspect`. */
interface InspectorOptions extends Omit<InspectContext, 'session' | 'packages'> {
  /** 0 takes a free port. */
  readonly port: number;
  /** The first task in the page; may be empty. */
  readonly task: string;
  readonly log: (line: string) => void;
  /** Called with the address, token included, when the server listens. */
  readonly onReady: (address: string) => void;
}

/** Serves the page until the signal aborts. */
export async function runInspector(options: InspectorOptions): Promise<void> {
  const { port, environment, signal, task, log, onReady } = options;
  await withContext(options, async (context) => {
    const { token } = accessToken(environment);
    const server = await startLoopbackServer({ port, token, routes: createInspectRoutes(context), log });
    const fragment = new URLSearchParams({ token, ...(task === '' ? {} : { task }) });
    onReady(`http://127.0.0.1:${server.port}${PAGE_PATH}#${fragment}`);
    // The first question of the page should not wait for the scan.
    context.session.use(() => {}).catch((error: Error) => log(error.message));
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await server.close();
  });
}

/** The page with its data as one file. */
export async function inspectAsFile(options: Omit<InspectorOptions, 'port' | 'onReady'>): Promise<string> {
  return withContext(options, (context) => staticPage(context, options.task));
}

async function withContext<Answer>(
  options: Omit<InspectContext, 'session' | 'packages'>,
  use: (context: InspectContext) => Promise<Answer>,
): Promise<Answer> {
  const { repo, settings } = options;
  const session = await openIndexSession({ repo, settings, mode: settings.scanMode }, 'watched');
  try {
    return await use({ ...options, session, packages: new Map() });
  } finally {
    await session.close();
  }
}
