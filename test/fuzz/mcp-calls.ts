import { buildPackage } from '../../src/context/pack.ts';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { type IndexSession, openIndexSession } from '../../src/scan/index-session.ts';
import { callTool } from '../../src/surfaces/mcp/call-tool.ts';
import { type McpContext, openMcpContext } from '../../src/surfaces/mcp/mcp-context.ts';
import { resultLimit } from '../../src/surfaces/mcp/result-limit.ts';
import { TOOLS } from '../../src/surfaces/mcp/tool-list.ts';
import { openSettings } from '../../src/surfaces/shared/open-settings.ts';
import { fuzzClass } from './fuzz-class.ts';
import { mutateJson, mutateText, WAYS_OUT } from './mutate.ts';
import type { Random } from './random.ts';

interface Call {
  readonly tool: string;
  readonly arguments: unknown;
  readonly client: string;
}

const TASK = 'TokenRefresher.refresh fails when the token has expired, see src/auth/token.ts:5 and fetchJson';
const REFERENCES = [
  ...[
    'src/auth/token.ts',
    'src/auth/token.ts:3-9',
    'src/auth/token.ts#TokenRefresher.refresh',
    'TokenRefresher',
  ],
  ...['src/long.ts:290-', 'docs/guide.md#Tokens', 'README.md:1', 'value12', 'src/queue/retry.py#RetryQueue'],
];
const WORDS = [
  ...REFERENCES,
  ...[
    'task',
    'targets',
    'role',
    'budget',
    'query',
    'limit',
    'reference',
    'package',
    'missing',
    '#',
    ':',
    ':0-0',
    ':5-2',
  ],
  ...['tester', 'reviewer', 'nobody', '../canary', '.git/config', 'build/x', '`', '```', '*', '?'],
];
const EXAMPLES: readonly Call[] = [
  { tool: 'get_context', arguments: { task: TASK, budget: 2_000 }, client: 'claude-code' },
  { tool: 'get_context', arguments: { task: TASK, targets: ['src/http.ts'], role: 'tester' }, client: '' },
  { tool: 'search_code', arguments: { query: 'where is the token refreshed', limit: 5 }, client: 'codex' },
  {
    tool: 'report_gap',
    arguments: { package: 'abc', missing: 'src/queue/retry.py was missing' },
    client: '',
  },
  ...REFERENCES.map((reference) => ({
    tool: 'expand',
    arguments: { reference, budget: 900 },
    client: 'gemini',
  })),
];

function textArgument(random: Random): string {
  if (random.chance(0.3)) return random.pick(WAYS_OUT);
  return mutateText(random, random.pick([...REFERENCES, TASK, 'the retry queue']), WORDS);
}

/** The arguments that a tool wants, each of them any text: values that the schema allows go further in. */
function fittingCall(random: Random): Call {
  const { name: tool, inputSchema } = random.pick(TOOLS);
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(inputSchema.properties)) {
    if (!inputSchema.required.includes(name) && random.chance(0.5)) continue;
    if (schema.type === 'integer')
      given[name] = schema.minimum + random.length(schema.maximum - schema.minimum);
    else if (schema.type === 'string') given[name] = textArgument(random).slice(0, schema.maxLength);
    else given[name] = Array.from({ length: 1 + random.below(3) }, () => textArgument(random));
  }
  // an unknown argument ends the call at once
  if (random.chance(0.8) && 'role' in given) given.role = random.pick(['tester', 'reviewer', 'planner']);
  if (random.chance(0.7) && 'targets' in given)
    given.targets = [random.pick(['src/http.ts', 'docs/guide.md'])];
  if (random.chance(0.7) && 'package' in given)
    given.package = random
      .below(1 << 30)
      .toString(16)
      .padStart(64, '0');
  return {
    tool,
    arguments: given,
    client: random.pick(['claude-code', 'codex', 'gemini-cli', 'copilot', 'qwen-cli', '']),
  };
}

/** One of the examples with other arguments, rarely with another name of the tool. */
function brokenCall(random: Random): unknown {
  const call = random.pick(EXAMPLES);
  if (random.chance(0.1)) return mutateJson(random, call, WORDS);
  return { ...call, arguments: mutateJson(random, call.arguments, WORDS) };
}

/** A tool, its arguments and the name of the client, as JSON. */
export const mcpCalls = fuzzClass<{ readonly context: McpContext; readonly session: IndexSession }>({
  setUp: async (runEnvironment) => {
    const root = openSafeRoot(runEnvironment.repository);
    const loaded = await openSettings(
      { env: runEnvironment.environment, cwd: root.path },
      { config: '' },
      {},
      root,
    );
    const { settings } = loaded;
    const scan = { repo: root.path, settings, mode: settings.scanMode };
    const session = await openIndexSession(scan, 'watched');
    await session.use(() => {});
    const context = openMcpContext({
      root,
      loaded,
      environment: runEnvironment.environment,
      home: runEnvironment.home,
      version: '0.0.0',
      log: () => {},
      buildPackage: (request) => buildPackage(request, session),
    });
    return { context, session };
  },
  generate: (random) => {
    const call = random.chance(0.6) ? fittingCall(random) : brokenCall(random);
    return Buffer.from(JSON.stringify(call));
  },
  async run({ context }, input) {
    const call = JSON.parse(input.toString('utf8')) as Partial<Record<keyof Call, unknown>> | null;
    // the protocol lets no other kind of name through
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    const limit = resultLimit(text(call?.client));
    const signal = new AbortController().signal;
    return callTool(context, text(call?.tool), call?.arguments, { signal, onProgress: () => {}, limit });
  },
  tearDown: ({ session }) => session.close(),
});
