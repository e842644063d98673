// Writes the plugins, extensions and catalogues of all clients, and the links on their page, from src/agents and
// package.json. Run it after a change of either; a release runs it, too.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/start/plugins.md';
const LINKS = /(<!-- links: [^\n]* -->\n)[\s\S]*?(<!-- \/links -->)/;

const folder = mkdtempSync(join(tmpdir(), 'loadout-plugins-'));
try {
  const bundle = join(folder, 'plugins.mjs');
  await build({
    entryPoints: [join(root, 'src/agents/plugins.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { pluginFiles, installLinks } = await import(pathToFileURL(bundle).href);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const page = readFileSync(join(root, PAGE), 'utf8');
  const files = {
    ...pluginFiles(manifest),
    [PAGE]: page.replace(LINKS, (_all, start, end) => `${start}\n${installLinks(manifest)}\n\n${end}`),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(path);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
