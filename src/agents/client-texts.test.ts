import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseYamlSafely } from '../schema/parse-yaml-safely.ts';
import { readVersion } from '../surfaces/shared/program-identity.ts';
import { claudeAgent, claudePlugin } from './claude.ts';
import { copilotAgent } from './copilot.ts';
import { cursorRule } from './cursor.ts';
import { geminiAgent } from './gemini.ts';
import { skillText } from './install-parts.ts';
import { opencodeAgent } from './opencode.ts';
import { qwenAgent } from './qwen.ts';

const folder = fileURLToPath(new URL('../../plugin', import.meta.url));
const files = claudePlugin(readVersion());

describe('the plugin', () => {
  // after a change: npx vitest run src/agents/client-texts.test.ts -u
  it.each(Object.entries(files))('%s is current', async (path, text) => {
    await expect(text).toMatchFileSnapshot(join(folder, path));
  });

  it('holds no other files', () => {
    const found = readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    expect(found.sort()).toEqual(Object.keys(files).sort());
  });
});

describe('agents and skills', () => {
  it.each([
    ['claude', claudeAgent('loadout')],
    ['gemini', geminiAgent()],
    ['copilot', copilotAgent()],
    ['opencode', opencodeAgent()],
    ['qwen', qwenAgent()],
    ['skill', skillText()],
    ['cursor', cursorRule()],
  ])('%s has front matter that can be read', async (_name, text) => {
    const [, front] = /^---\n([\s\S]*?)\n---\n\n/.exec(text)!;
    const { value } = await parseYamlSafely(front!, 'front matter');
    expect((value as { description: string }).description.length).toBeGreaterThan(40);
  });

  it('the mapper cannot write, edit or run', () => {
    const [, tools] = /^tools: (.*)$/m.exec(claudeAgent('loadout'))!;
    expect(tools).toContain('mcp__loadout__get_context');
    expect(tools).not.toMatch(/Write|Edit|Bash|Task|Agent|\*/);
    expect(opencodeAgent()).toContain('  edit: deny\n  bash: deny');
  });
});
