/**
 * The plugins, extensions and catalogues by which clients install Loadout, as files from one source: the rows of the
 * clients and package.json. `scripts/generate-plugins.mjs` writes them; a test compares them.
 */

import type { LaunchCommand } from './agent-client.ts';
import { claudePlugin } from './claude.ts';
import { codexHooks } from './codex.ts';
import { geminiHooks } from './gemini.ts';
import { pluginJson, SERVER_NAME, skillText } from './install-parts.ts';
import { opencodePlugin } from './opencode.ts';

/** The fields of package.json that plugins need. */
export interface PluginManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly release: { readonly published: boolean };
  /** The name in the MCP registry. It holds the owner of the repository, who is known when a release is made. */
  readonly mcpName?: string;
}

/** The name of the plugin in every catalogue. */
const PLUGIN = 'loadout';
/** The registry of MCP servers refuses a longer description. */
const MAX_REGISTRY_DESCRIPTION = 100;
const REGISTRY_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/**
 * A plugin runs on machines without Loadout: it gets the package of its own version from the registry. Before the first
 * release it starts the `loadout` on the PATH.
 */
function pluginLaunch({ name, version, release }: PluginManifest): LaunchCommand {
  return release.published
    ? { program: 'npx', args: ['-y', `${name}@${version}`] }
    : { program: 'loadout', args: [] };
}

/** All files, by their path from the root of the repository. */
export function pluginFiles(manifest: PluginManifest): Readonly<Record<string, string>> {
  const launch = pluginLaunch(manifest);
  const server = { command: launch.program, args: [...launch.args, 'mcp'] };
  const { version, description, license, keywords } = manifest;
  const about = { name: PLUGIN, version, description, author: { name: 'Loadout' }, license, keywords };
  const skill = skillText();
  return {
    ...below('plugin', claudePlugin(about, launch)),
    '.claude-plugin/marketplace.json': pluginJson({
      name: PLUGIN,
      owner: { name: 'Loadout' },
      metadata: { description, version },
      plugins: [{ name: PLUGIN, source: './plugin', description, version, license, keywords }],
    }),
    ...below('plugins/codex', {
      '.codex-plugin/plugin.json': pluginJson({
        ...about,
        skills: './skills/',
        mcpServers: './.mcp.json',
        hooks: './hooks/hooks.json',
        interface: { displayName: 'Loadout', shortDescription: description, category: 'Productivity' },
      }),
      '.mcp.json': pluginJson({ mcpServers: { [SERVER_NAME]: server } }),
      'hooks/hooks.json': pluginJson({ hooks: codexHooks(launch) }),
      'skills/loadout/SKILL.md': skill,
    }),
    '.agents/plugins/marketplace.json': pluginJson({
      name: PLUGIN,
      interface: { displayName: 'Loadout' },
      plugins: [
        {
          name: PLUGIN,
          source: { source: 'local', path: './plugins/codex' },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Productivity',
        },
      ],
    }),
    // This client installs the root of a repository, so these files cannot be in a folder of their own.
    'gemini-extension.json': pluginJson({
      name: PLUGIN,
      version,
      description,
      mcpServers: { [SERVER_NAME]: server },
    }),
    'hooks/hooks.json': pluginJson({ hooks: geminiHooks(launch) }),
    'skills/loadout/SKILL.md': skill,
    'plugins/opencode/loadout.js': opencodePlugin(launch),
    'plugins/opencode/opencode.json': pluginJson({
      $schema: 'https://opencode.ai/config.json',
      mcp: { [SERVER_NAME]: { type: 'local', command: [server.command, ...server.args], enabled: true } },
    }),
    ...(manifest.mcpName === undefined ? {} : { 'server.json': registryEntry(manifest, manifest.mcpName) }),
  };
}

function below(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

/** The entry for the MCP registry. */
function registryEntry({ name, version, description }: PluginManifest, mcpName: string): string {
  return pluginJson({
    $schema: REGISTRY_SCHEMA,
    name: mcpName,
    description: description.slice(0, MAX_REGISTRY_DESCRIPTION),
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  });
}

/** Links that add the MCP server to an editor. */
export function installLinks(manifest: PluginManifest): string {
  const { program, args } = pluginLaunch(manifest);
  const server = { command: program, args: [...args, 'mcp'] };
  const code = encodeURIComponent(JSON.stringify({ name: SERVER_NAME, ...server }));
  const cursor = encodeURIComponent(Buffer.from(JSON.stringify(server)).toString('base64'));
  const need = manifest.release.published
    ? ''
    : 'Loadout is not in the npm registry yet: these links need `loadout` on your PATH.\n\n';
  return `${need}- VS Code: \`vscode:mcp/install?${code}\`
- Cursor: \`cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER_NAME}&config=${cursor}\`

Open the link in a browser, or in VS Code's terminal: \`code --add-mcp '${JSON.stringify({ name: SERVER_NAME, ...server })}'\``;
}
