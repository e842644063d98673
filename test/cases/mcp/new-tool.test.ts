import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER_TOOLS } from '../../../src/agents/index.ts';
import { mcpContextFor, sampleRepository } from '../../../src/surfaces/mcp/mcp-context.test-kit.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The three steps of CONTRIBUTING.md: a name, a row, a function. */
const STEPS: Readonly<Record<string, readonly [before: string, added: string]>> = {
  'src/agents/install-parts.ts': ["'get_context', ", "'count_letters', "],
  'src/surfaces/mcp/tool-list.ts': [
    'const ROWS: Readonly<Record<ToolName, ToolRow>> = {',
    `count_letters: {
      title: 'Count letters',
      description: 'Counts the letters of a word. Do not call it for a number.',
      arguments: argumentsOf({ word: text('The word', 20) }),
      annotations: READ_ONLY,
    },`,
  ],
  'src/surfaces/mcp/call-tool.ts': [
    'const IMPLEMENTATIONS: Readonly<Record<ToolName, Tool>> = {',
    "count_letters: async (_context, { word }) => String(word).length + ' letters',",
  ],
};

const threeSteps: Plugin = {
  name: 'three-steps',
  setup: (builder) => {
    for (const [file, [before, added]] of Object.entries(STEPS))
      builder.onLoad({ filter: new RegExp(`${file.replaceAll('/', '[/\\\\]')}$`) }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const contents = text.replace(before, () => before + added);
        if (contents === text) throw new Error(`${file} has no ${before}`);
        return { contents, loader: 'ts' };
      });
  },
};

const ENTRY = `
export { callTool } from './src/surfaces/mcp/call-tool.ts';
export { TOOLS } from './src/surfaces/mcp/tool-list.ts';
export { claudeAgent } from './src/agents/claude.ts';
`;

let folder: string;
let built: Pick<typeof import('../../../src/surfaces/mcp/call-tool.ts'), 'callTool'> &
  Pick<typeof import('../../../src/surfaces/mcp/tool-list.ts'), 'TOOLS'> &
  Pick<typeof import('../../../src/agents/claude.ts'), 'claudeAgent'>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-new-tool-'));
  await build({
    stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    entryNames: 'tools',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['typescript', '@parcel/watcher'],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    plugins: [threeSteps],
    logLevel: 'error',
  });
  built = await import(pathToFileURL(join(folder, 'tools.mjs')).href);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a new tool, added with a name, a row and a function', () => {
  it('is listed with its arguments', () => {
    const tool = built.TOOLS.find(({ name }) => name === ('count_letters' as never));
    expect(tool).toMatchObject({
      title: 'Count letters',
      inputSchema: { required: ['word'], properties: { word: { type: 'string', maxLength: 20 } } },
    });
  });

  it('is called with checked arguments', async () => {
    const repository = sampleRepository();
    const context = mcpContextFor(repository);
    const call = (given: unknown) =>
      built.callTool(context, 'count_letters', given, {
        signal: new AbortController().signal,
        onProgress: () => {},
      });
    try {
      expect(await call({ word: 'apple' })).toBe('5 letters');
      await expect(call({})).rejects.toThrow('word: is missing');
      await expect(call({ word: 'apple', letter: 'a' })).rejects.toThrow('unknown argument "letter"');
    } finally {
      repository.remove();
    }
  });

  it('is allowed to the agent that maps', () => {
    expect(built.claudeAgent('loadout')).toContain('mcp__loadout__count_letters');
  });
});

describe('the guide of the MCP server', () => {
  it('has a row for every tool', () => {
    const guide = readFileSync(join(root, 'docs/guides/mcp.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| `(\w+)` \| `/gm)].map(([, name]) => name);
    expect(rows).toEqual([...SERVER_TOOLS]);
  });
});
