import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseYamlSafely } from '../schema/parse-yaml-safely.ts';
import { claudeAgent } from './claude.ts';
import { copilotAgent } from './copilot.ts';
import { cursorRule } from './cursor.ts';
import { geminiAgent } from './gemini.ts';
import { skillText } from './install-parts.ts';
import { opencodeAgent } from './opencode.ts';
import { installLinks, type PluginManifest, pluginFiles } from './plugins.ts';
import { qwenAgent } from './qwen.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PluginManifest;
const files = pluginFiles(manifest);

describe('plugins', () => {
  // after a change: node scripts/generate-plugins.mjs
  it.each(Object.entries(files))('%s is current', (path, text) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });

  it.each(['plugin', 'plugins', 'skills', 'hooks', '.claude-plugin', '.agents'])(
    '%s holds no other files',
    (folder) => {
      const found = readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
      expect(found.sort()).toEqual(
        Object.keys(files)
          .filter((path) => path.startsWith(`${folder}/`))
          .sort(),
      );
    },
  );

  it.each([
    ['start this version of the package', true, `npx -y ${manifest.name}@${manifest.version}`],
    ['start the program on the PATH before the first release', false, 'loadout'],
  ])('%s', (_name, published, command) => {
    const given = pluginFiles({ ...manifest, release: { published } });
    const [program, ...args] = `${command} mcp`.split(' ');
    for (const path of ['plugin/.mcp.json', 'plugins/codex/.mcp.json', 'gemini-extension.json'])
      expect(JSON.parse(given[path]!).mcpServers.loadout).toEqual({ command: program, args });
    for (const path of ['plugin/hooks/hooks.json', 'plugins/codex/hooks/hooks.json', 'hooks/hooks.json'])
      expect(given[path]).toContain(`"${command} hook `);
  });

  it('are in the package', () => {
    const { files: packed } = manifest as PluginManifest & { files: readonly string[] };
    for (const path of Object.keys(files))
      expect(packed.some((entry) => path === entry || path.startsWith(`${entry}/`))).toBe(true);
  });

  it('have an entry for the MCP registry once the owner is known', () => {
    expect(files).not.toHaveProperty('server.json');
    const entry = JSON.parse(
      pluginFiles({ ...manifest, mcpName: 'io.github.someone/loadout' })['server.json']!,
    );
    expect(entry).toMatchObject({ name: 'io.github.someone/loadout', version: manifest.version });
    expect(entry.description.length).toBeLessThanOrEqual(100);
    expect(entry.packages[0]).toMatchObject({ identifier: manifest.name, version: manifest.version });
  });

  it('have links for editors on their page', () => {
    expect(readFileSync(join(root, 'docs/start/plugins.md'), 'utf8')).toContain(installLinks(manifest));
    expect(installLinks({ ...manifest, release: { published: true } })).toContain(`${manifest.name}@`);
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
