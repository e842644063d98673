import { afterEach, describe, expect, it } from 'vitest';
import { type ModelStub, startModelStub } from './model-stub.ts';
import { RIGHT_ANSWER, STRUCTURED_VALUE } from './scenarios.ts';

let stub: ModelStub;
afterEach(() => stub.close());

const tool = {
  name: 'Bash',
  function: { name: 'bash' },
  functionDeclarations: [{ name: 'run_shell_command' }],
};
const ADDRESSES = {
  anthropic: {
    path: '/v1/messages',
    body: { model: 'm', messages: [{ role: 'user', content: 'hello' }], tools: [tool], stream: true },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: {
      model: 'm',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
      tools: [{ type: 'function', name: 'exec_command' }],
      stream: true,
    },
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: { model: 'm', messages: [{ role: 'user', content: 'hello' }], tools: [tool], stream: true },
  },
  gemini: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }], tools: [tool] },
  },
} as const;

type Service = keyof typeof ADDRESSES;
const services = Object.keys(ADDRESSES) as readonly Service[];

function ask(service: Service, change: Readonly<Record<string, unknown>> = {}): Promise<Response> {
  const { path, body } = ADDRESSES[service];
  return fetch(`${stub.url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'x-api-key': 'secret', 'x-goog-api-key': 'secret' },
    body: JSON.stringify({ ...body, ...change }),
  });
}

describe.each(services)('%s', (service) => {
  it('streams a plain answer and remembers the request without its credentials', async () => {
    stub = await startModelStub('plain');
    const text = await (await ask(service)).text();
    expect(text).toContain('data: ');
    expect(text).toContain(JSON.stringify(RIGHT_ANSWER).slice(1, -1));
    expect(stub.work()).toHaveLength(1);
    expect(stub.work()[0]).toMatchObject({
      number: 1,
      protocol: service,
      model: 'm',
      messages: [{ role: 'user', text: 'hello' }],
    });
    expect(JSON.stringify(stub.requests)).not.toContain('secret');
  });

  it('calls a tool that the request offers', async () => {
    stub = await startModelStub('shell');
    expect(await (await ask(service)).text()).toMatch(/Bash|exec_command|bash|run_shell_command/);
  });

  it('fails with a status and a message in the format of the service', async () => {
    stub = await startModelStub('401');
    const response = await ask(service);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { message: 'Incorrect API key provided' } });
  });

  it('hangs, and breaks off', async () => {
    stub = await startModelStub('hang');
    await expect(
      Promise.race([ask(service), new Promise((finish) => setTimeout(finish, 100, 'late'))]),
    ).resolves.toBe('late');
    await stub.close();
    stub = await startModelStub('broken');
    await expect(ask(service).then((response) => response.text())).rejects.toThrow();
  });

  it('answers in one piece when no stream is asked for', async () => {
    stub = await startModelStub('plain');
    const path = ADDRESSES[service].path.replace('streamGenerateContent?alt=sse', 'generateContent');
    const body = JSON.stringify({ ...ADDRESSES[service].body, stream: false });
    const response = await fetch(`${stub.url}${path}`, { method: 'POST', body });
    expect(JSON.stringify(await response.json())).toContain(JSON.stringify(RIGHT_ANSWER).slice(1, -1));
  });
});

describe('the stub', () => {
  it('changes its scenario while it runs and takes one that a test brings', async () => {
    stub = await startModelStub('400');
    expect((await ask('openai-chat')).status).toBe(400);
    stub.use((request) => ({ kind: 'text', text: `you said ${request.messages[0]?.text}` }));
    expect(await (await ask('openai-chat')).text()).toContain('you said hello');
  });

  it('gives the structured answer by the way of the service', async () => {
    stub = await startModelStub('structured');
    const format = { type: 'json_schema', name: 'x', schema: {} };
    expect(await (await ask('openai-responses', { text: { format } })).text()).toContain(
      JSON.stringify(JSON.stringify(STRUCTURED_VALUE)).slice(1, -1),
    );
    expect(await (await ask('anthropic', { tools: [{ name: 'StructuredOutput' }] })).text()).toContain(
      'StructuredOutput',
    );
  });

  it('counts tokens and lists requests that should not happen', async () => {
    stub = await startModelStub();
    const counted = await fetch(`${stub.url}/v1/messages/count_tokens`, { method: 'POST', body: '{}' });
    expect(await counted.json()).toEqual({ input_tokens: 100 });
    expect((await fetch(`${stub.url}/elsewhere`)).status).toBe(404);
    expect(stub.strays).toEqual(['GET /elsewhere']);
  });
});
