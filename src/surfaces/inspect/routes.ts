/**
 * The routes of the inspector: the page, which holds no data and needs no token, and the data, which needs it. The
 * page gets the token in the fragment of its address, which no browser sends.
 */

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { LoadoutError } from '../../model/loadout-error.ts';
import { readJson } from '../../model/read-json.ts';
import { safeJson } from '../../redact/index.ts';
import { type Route, readBody, sendRefusal } from '../server/index.ts';
import type { DataRoute, InspectContext } from './context.ts';
import { fileRoute } from './file-data.ts';
import { packageRoute } from './package-data.ts';
import { repositoryRoute } from './repository-data.ts';
import { runsRoute } from './runs-data.ts';
import { sessionsRoute } from './sessions-data.ts';
import { whyRoute } from './why-data.ts';

/** Everything that the page can ask. */
const DATA_ROUTES: readonly DataRoute[] = [
  ...[packageRoute, fileRoute, whyRoute],
  ...[repositoryRoute, sessionsRoute, runsRoute],
];

export const PAGE_PATH = '/inspect';
/** A question is a task and some paths. */
const MAX_QUERY_BYTES = 1024 * 1024;

/** Nothing from a network, nothing inline, no frame around it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** A file of the page, as the build made it. */
export function readPageFile(name: 'app.js' | 'app.css'): string {
  try {
    return readFileSync(new URL(`./inspect/${name}`, import.meta.url), 'utf8');
  } catch (cause) {
    const hint = 'install the package again, or run the build';
    throw new LoadoutError('page-missing', `the page of the inspector is not complete: ${name} is missing`, {
      hint,
      cause,
    });
  }
}

const SHELL = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Loadout inspector</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><link rel="stylesheet" href="/inspect/app.css"></head><body><div id="app"></div><script src="/inspect/app.js"></script></body></html>`;

/** All routes of the inspector. */
export function createInspectRoutes(context: InspectContext): Route[] {
  return [
    pageRoute(PAGE_PATH, 'html', SHELL),
    pageRoute(`${PAGE_PATH}/app.js`, 'js', readPageFile('app.js')),
    pageRoute(`${PAGE_PATH}/app.css`, 'css', readPageFile('app.css')),
    {
      method: 'POST',
      path: `${PAGE_PATH}/data/`,
      async handle({ request, response, rest }) {
        const body = await readBody(request, MAX_QUERY_BYTES);
        if ('refusal' in body) return sendRefusal(response, body.refusal);
        const route = DATA_ROUTES.find(({ path }) => path === rest);
        if (!route) return sendRefusal(response, { status: 404, message: 'nothing is served here' });
        const read = readJson(body.text);
        if (read.kind !== 'json')
          return sendRefusal(response, { status: 400, message: 'the body is not JSON' });
        send(response, 'application/json', await answerOrProblem(route, context, read.value));
      },
    },
  ];
}

/** An error that a user can act on is an answer; any other is a bug and goes to the log. */
async function answerOrProblem(route: DataRoute, context: InspectContext, query: unknown): Promise<string> {
  try {
    return safeJson({ value: await route.answer(context, query) });
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return safeJson({ problem: error.message, hint: error.hint ?? '' });
  }
}

function pageRoute(path: string, type: keyof typeof TYPES, body: string): Route {
  return {
    method: 'GET',
    path,
    isPublic: true,
    handle: async ({ response }) => send(response, TYPES[type], body),
  };
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
