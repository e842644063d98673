// Builds dist/: bundled ESM for the library, the command line and the scan worker, compressed grammars, types.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist/`;
const cache = `${root}.cache/grammars/`;
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const started = performance.now();

rmSync(dist, { recursive: true, force: true });
mkdirSync(`${dist}grammars`, { recursive: true });
mkdirSync(`${dist}vendor`, { recursive: true });
mkdirSync(cache, { recursive: true });

/** The compiler's parser is three quarters of the bytes: bundled once, loaded only by the worker. */
const compilerApart = {
  name: 'compiler-apart',
  setup(builder) {
    builder.onResolve({ filter: /^typescript$/ }, () => ({
      path: './vendor/typescript.cjs',
      external: true,
    }));
  },
};

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
};

await Promise.all([
  build({
    ...shared,
    format: 'cjs',
    minify: true,
    entryPoints: [`${root}node_modules/typescript/lib/typescript.js`],
    outfile: `${dist}vendor/typescript.cjs`,
  }),
  build({
    ...shared,
    format: 'esm',
    splitting: true,
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [compilerApart],
    external: ['@parcel/watcher'],
    define: { __LOADOUT_VERSION__: JSON.stringify(version) },
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    entryPoints: {
      index: `${root}src/index.ts`,
      parse: `${root}src/parse-text.ts`,
      cli: `${root}src/deliver/cli/main.ts`,
      'scan-worker': `${root}src/scan/scan-worker.ts`,
    },
    chunkNames: 'chunk-[hash]',
    outdir: dist,
  }),
]);
writeFileSync(`${dist}version.js`, `export const VERSION = ${JSON.stringify(version)};\n`);

await copyGrammars();
await writeThirdPartyNotices();
execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
console.log(`built dist/ ${version} in ${((performance.now() - started) / 1000).toFixed(1)} s`);

/** Each grammar is checked against its pinned hash, then compressed to a fifteenth of its size. */
async function copyGrammars() {
  const pins = JSON.parse(readFileSync(`${root}scripts/grammars.json`, 'utf8'));
  for (const name of await grammarNames()) {
    const source =
      name === 'web-tree-sitter'
        ? `${root}node_modules/web-tree-sitter/web-tree-sitter.wasm`
        : `${root}node_modules/tree-sitter-wasm/out/${name}/tree-sitter-${name}.wasm`;
    const bytes = readFileSync(source);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (process.argv.includes('--pin-grammars')) pins[name] = hash;
    if (pins[name] !== hash) throw new Error(`grammar ${name}: hash ${hash} is not the pinned ${pins[name]}`);
    const packed = `${cache}${hash}.br`;
    if (!existsSync(packed))
      writeFileSync(packed, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    writeFileSync(`${dist}grammars/${name}.wasm.br`, readFileSync(packed));
  }
  if (process.argv.includes('--pin-grammars'))
    writeFileSync(`${root}scripts/grammars.json`, `${JSON.stringify(pins, Object.keys(pins).sort(), 2)}\n`);
}

/** Asked of the language table itself, so that a new language needs no entry here. */
async function grammarNames() {
  const table = await build({
    ...shared,
    format: 'esm',
    write: false,
    entryPoints: [`${root}src/parse/languages/table.ts`],
  });
  const { LANGUAGES } = await import(`data:text/javascript,${encodeURIComponent(table.outputFiles[0].text)}`);
  const used = LANGUAGES.filter(({ structure }) => structure?.engine === 'tree-sitter');
  return ['web-tree-sitter', ...new Set(used.map(({ structure }) => structure.grammar))].sort();
}

/** Licences of what is bundled or shipped, as they ask to be passed on. */
async function writeThirdPartyNotices() {
  const bundled = JSON.parse(readFileSync(`${root}scripts/bundled.json`, 'utf8'));
  const notices = bundled.map((name) => {
    const folder = `${root}node_modules/${name}/`;
    const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
    const file = ['LICENSE', 'LICENSE.txt', 'LICENSE.md', 'license', 'LICENCE', 'LICENSE-MIT'].find((one) =>
      existsSync(folder + one),
    );
    return `# ${name} ${manifest.version} (${manifest.license})\n\n${file ? readFileSync(folder + file, 'utf8').trim() : ''}\n`;
  });
  writeFileSync(`${dist}THIRD_PARTY_NOTICES.md`, notices.join('\n'));
}
