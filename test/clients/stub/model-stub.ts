import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { clientEnvironment } from './client-environment.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { asBody, type ServiceProtocol, type WrittenReply } from './protocol.ts';
import type { ModelRequest, Reply } from './reply.ts';
import { SCENARIOS, type Scenario, type ScenarioName } from './scenarios.ts';

const PROTOCOLS: readonly ServiceProtocol[] = [anthropic, openaiResponses, openaiChat, gemini];
const SECRET_HEADERS = /authorization|api-key|goog-api-key|cookie/i;

export interface ModelStub {
  readonly url: string;
  /** Everything that reached a model, in order. */
  readonly requests: readonly ModelRequest[];
  /** Without titles and routing. */
  work(): readonly ModelRequest[];
  /** Addresses that were asked for and that no service has. */
  readonly strays: readonly string[];
  /** The scenario for all later requests. */
  use(scenario: ScenarioName | Scenario): void;
  /** Writes the settings of each CLI below `home` and returns the whole environment that leads all of them here. */
  environment(home: string): Record<string, string>;
  close(): Promise<void>;
}

/** The model services on loopback: Anthropic Messages, OpenAI Responses and Chat, Gemini. */
export async function startModelStub(first: ScenarioName | Scenario = 'plain'): Promise<ModelStub> {
  let scenario = asScenario(first);
  const requests: ModelRequest[] = [];
  const strays: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const path = new URL(incoming.url ?? '/', 'http://stub').pathname;
    const protocol = PROTOCOLS.find((each) => each.matches(path));
    readBody(incoming).then((body) => {
      if (incoming.method === 'POST' && protocol) {
        const number = requests.length + 1;
        const request = { number, ...protocol.read(path, body), path, headers: openHeaders(incoming), body };
        requests.push(request);
        answer(outgoing, protocol, request, replyTo(request, scenario));
      } else if (path === '/v1/messages/count_tokens') {
        sendJson(outgoing, 200, { input_tokens: 100 });
      } else {
        if (path !== '/') strays.push(`${incoming.method} ${path}`);
        sendJson(outgoing, 404, { error: { message: 'the stub has nothing here', type: 'not_found_error' } });
      }
    });
  });
  await new Promise<void>((finish) => server.listen(0, '127.0.0.1', finish));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    strays,
    work: () => requests.filter((request) => !request.isAside),
    use: (next) => {
      scenario = asScenario(next);
    },
    environment: (home) => clientEnvironment(url, home),
    close: () =>
      new Promise((finish) => {
        server.close(() => finish());
        server.closeAllConnections();
      }),
  };
}

function asScenario(scenario: ScenarioName | Scenario): Scenario {
  return typeof scenario === 'function' ? scenario : SCENARIOS[scenario];
}

/** A title or a route is never the place for a tool call; failures hit everything. */
function replyTo(request: ModelRequest, scenario: Scenario): Reply {
  const reply = scenario(request);
  const isSpoken = reply.kind === 'text' || reply.kind === 'tools' || reply.kind === 'structured';
  return request.isAside && isSpoken ? { kind: 'text', text: 'a title' } : reply;
}

function answer(
  outgoing: ServerResponse,
  protocol: ServiceProtocol,
  request: ModelRequest,
  reply: Reply,
): void {
  if (reply.kind === 'hang') return;
  if (reply.kind === 'error') {
    sendJson(outgoing, reply.status, protocol.error(reply.status, reply.message));
    return;
  }
  const spoken = reply.kind === 'broken' ? ({ kind: 'text', text: 'The answer is' } as const) : reply;
  const written = protocol.write(spoken, request);
  if (reply.kind === 'text' && reply.afterMs !== undefined)
    setTimeout(() => send(outgoing, written), reply.afterMs);
  else if (reply.kind !== 'broken') send(outgoing, written);
  else {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    if (written.kind === 'stream') outgoing.write(sseText(written.events.slice(0, 2)));
    setTimeout(() => outgoing.destroy(), 50);
  }
}

function send(outgoing: ServerResponse, written: WrittenReply): void {
  if (written.kind === 'json') {
    sendJson(outgoing, 200, written.body);
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  outgoing.end(sseText(written.events));
}

function sseText(events: Extract<WrittenReply, { kind: 'stream' }>['events']): string {
  return events
    .map(({ event, data }) => {
      const line = typeof data === 'string' ? data : JSON.stringify(data);
      return `${event === undefined ? '' : `event: ${event}\n`}data: ${line}\n\n`;
    })
    .join('');
}

function sendJson(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify(body));
}

async function readBody(incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  try {
    return asBody(JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    return {};
  }
}

function openHeaders(incoming: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(incoming.headers).filter(([name]) => !SECRET_HEADERS.test(name));
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
}
