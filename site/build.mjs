// Builds the site, or serves it while you write: node site/build.mjs [--serve]
// Everything comes from the disk: after `npm ci --prefix site` no network is needed.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

if (!existsSync(`${folder}node_modules/vitepress`)) {
  console.error('site: its packages are not installed; run: npm ci --prefix site');
  process.exit(2);
}

const { build, createServer } = await import('vitepress');
if (process.argv.includes('--serve')) {
  const server = await createServer(folder, { host: '127.0.0.1' });
  await server.listen();
  server.printUrls();
} else {
  await build(folder).catch((error) => {
    // dead links are listed by then
    console.error(`site: ${error.message}`);
    process.exitCode = 1;
  });
}
