// Builds dist/: bundled ESM for the library, the command line and the scan worker, compressed grammars, types.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build as runEsbuild, transform } from 'esbuild';
import { buildCompilerParser } from './compiler-parser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outAt = process.argv.indexOf('--out');
const target = outAt < 0 ? `${root}dist` : resolve(process.argv[outAt + 1]);
// put in place as a whole, so that a program of the former build never meets half of a new one
const dist = `${target}.${process.pid}.tmp/`;
process.on('exit', () => rmSync(dist, { recursive: true, force: true }));
const cache = `${root}.cache/grammars/`;
const { version, engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const started = performance.now();

rmSync(dist, { recursive: true, force: true });
mkdirSync(`${dist}grammars`, { recursive: true });
mkdirSync(`${dist}vendor`, { recursive: true });
mkdirSync(cache, { recursive: true });

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  // its CommonJS form hides its imports from the bundler
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  logLevel: 'warning',
};

/** Packages that are bundled: their licences go with the build. */
const bundledPackages = new Set();

async function build(options) {
  const result = await runEsbuild({ ...options, metafile: true });
  for (const file of Object.keys(result.metafile.inputs)) {
    const name = /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
    if (name) bundledPackages.add(name);
  }
  return result;
}

const compiler = await buildCompilerParser(root, shared);
writeFileSync(`${dist}vendor/typescript.cjs`, compiler);

/** Packages that are loaded when they are needed stay files of their own, shared by all programs. */
const vendored = new Set();
const INSIDE = new Set(['commander', '@parcel/watcher']);
const packagesApart = {
  name: 'packages-apart',
  setup(builder) {
    builder.onResolve({ filter: /^typescript$/ }, () => ({ path: 'typescript', namespace: 'compiler' }));
    builder.onLoad({ filter: /.*/, namespace: 'compiler' }, () => ({
      contents: loadCompiler(),
      resolveDir: root,
    }));
    builder.onResolve({ filter: /^[@a-z][^:]*$/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import' || INSIDE.has(path)) return undefined;
      vendored.add(path);
      return { path: `./vendor/${vendorFile(path)}`, external: true };
    });
  },
};

/** By its content, so that compiled code of another version is never taken for this one's. */
function loadCompiler() {
  const name = `typescript-${hashOf(compiler)}`;
  return `import { loadScript } from './src/platform/cache/load-script.ts';
export default loadScript(new URL('./vendor/typescript.cjs', import.meta.url), '${name}');`;
}

const formats = await computeFormats();
writeFileSync(`${dist}formats.json`, `${JSON.stringify(formats)}\n`);
writeFileSync(`${dist}roles.json`, `${JSON.stringify(await parseBuiltInRoles())}\n`);

const ours = {
  ...shared,
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  plugins: [packagesApart],
  external: ['@parcel/watcher'],
  define: {
    __LOADOUT_VERSION__: JSON.stringify(version),
    __LOADOUT_ENGINES__: JSON.stringify(engines.node),
    __LOADOUT_SEGMENT_FORMAT__: String(formats.segments),
    __LOADOUT_RULES__: JSON.stringify(formats.rules),
  },
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  outdir: dist,
};

/** Node starts a script in less time than a module. */
const commonJs = {
  ...ours,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  banner: { js: "const __moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
  define: { ...ours.define, 'import.meta.url': '__moduleUrl' },
};

await Promise.all([
  build({
    ...ours,
    splitting: true,
    entryPoints: {
      index: `${root}src/index.ts`,
      parse: `${root}src/scan/parse/parse-text.ts`,
      run: `${root}src/surfaces/library/run.ts`,
      session: `${root}src/session/index.ts`,
      'session-ai-sdk': `${root}src/session/adapters/ai-sdk.ts`,
      'session-langchain': `${root}src/session/adapters/langchain.ts`,
      'session-openai-agents': `${root}src/session/adapters/openai-agents.ts`,
      'session-claude-agent-sdk': `${root}src/session/adapters/claude-agent-sdk.ts`,
    },
    chunkNames: 'chunk-[hash]',
  }),
  // programs that start often: one file each is loaded in half the time that thirty take
  build({
    ...ours,
    entryPoints: { 'scan-worker': `${root}src/scan/pool/scan-worker.ts` },
  }),
]);
await buildProgram();
await buildHook();
await buildInspectPage();
await Promise.all([buildTogether(), ...[...vendored].filter((name) => !isTogether(name)).map(buildVendored)]);
writeFileSync(`${dist}version.cjs`, `exports.VERSION = ${JSON.stringify(version)};\n`);

await copyGrammars();
await copyTemplateEngine();
await writeThirdPartyNotices();
if (!process.argv.includes('--no-types'))
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json', '--outDir', `${dist}types`], {
    cwd: root,
    stdio: 'inherit',
  });
const former = `${target}.${process.pid}.old`;
if (existsSync(target)) renameSync(target, former);
renameSync(dist.slice(0, -1), target);
rmSync(former, { recursive: true, force: true });
console.log(`built ${target} ${version} in ${((performance.now() - started) / 1000).toFixed(1)} s`);

/** The command line: a script whose compiled code can be kept, and a small one that starts it. */
async function buildProgram() {
  const name = `cli-${await buildScript('src/surfaces/cli/main.ts', 'program.cjs')}`;
  const list = readFileSync(`${root}src/surfaces/cli/command-list.ts`, 'utf8');
  const listed = [...list.matchAll(/^ {2}\['([a-z]+)', async/gm)].map(([, name]) => name);
  // the question of a completion script, which names another command behind it
  const commands = ['complete', ...listed];
  await build({
    ...commonJs,
    define: { ...commonJs.define, __LOADOUT_PROGRAM__: JSON.stringify({ name, commands }) },
    entryPoints: { cli: `${root}src/surfaces/cli/launch.ts` },
  });
}

/** The hook, which every prompt waits for: a small program that watches, and a script with kept code that does the work. */
async function buildHook() {
  const name = `hook-${await buildScript('src/surfaces/hook/hook-work.ts', 'hook-work.cjs')}`;
  await build({
    ...commonJs,
    define: { ...commonJs.define, __LOADOUT_HOOK_CODE__: JSON.stringify(name) },
    entryPoints: {
      hook: `${root}src/surfaces/hook/run.ts`,
      'hook-worker': `${root}src/surfaces/hook/hook-worker.ts`,
    },
  });
}

/** The page of the inspector: one script and one style sheet, nothing from elsewhere. */
async function buildInspectPage() {
  await build({
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    entryPoints: { app: `${root}src/surfaces/inspect/page/main.tsx` },
    outdir: `${dist}inspect`,
  });
}

/** A script for `loadScript`: it cannot import, so its loader does that for it. Resolves to a hash of its text. */
async function buildScript(entry, file) {
  const { outputFiles } = await build({
    ...commonJs,
    entryPoints: { script: `${root}${entry}` },
    write: false,
  });
  const text = escapeRest(outputFiles[0].text).replaceAll(
    /\bimport\((["'])((?:\.\/vendor\/|@parcel\/|node:)[^"']+)\1\)/g,
    '__import($1$2$1)',
  );
  writeFileSync(`${dist}${file}`, text);
  return hashOf(text);
}

/** Escapes characters that esbuild leaves in regular expressions: a script in ASCII is read in a fifth of the time. */
function escapeRest(text) {
  const raw = /String\.raw`[^`]*[^\0-\x7f]/.exec(text);
  if (raw) throw new Error(`would not be the same in ASCII: ${raw[0].slice(0, 200)}`);
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Stored findings hold as long as the code that made them: its text without comments, the compiler and the grammars
 * are the number of their format. Resolvers decide about links alone.
 */
async function computeFormats() {
  const textOf = async (paths, resolversInside) => {
    const stubs = {
      name: 'stubs',
      setup(builder) {
        if (!resolversInside)
          builder.onResolve({ filter: /\/resolvers\// }, ({ path }) => ({ path, external: true }));
      },
    };
    const { outputFiles } = await build({
      ...shared,
      format: 'esm',
      minify: true,
      packages: 'external',
      plugins: [stubs],
      write: false,
      stdin: { contents: paths.map((path) => `export * from './src/${path}';`).join('\n'), resolveDir: root },
    });
    return outputFiles[0].text;
  };
  const versionOf = (name) =>
    JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8')).version;
  const parsing = await textOf(['scan/pool/open-segment.ts', 'scan/parse/parse-file.ts'], false);
  const foreign = [hashOf(compiler), versionOf('web-tree-sitter')];
  const grammars = readFileSync(`${root}scripts/grammars.json`, 'utf8');
  const rules = await textOf(
    ['scan/discover/discover-files.ts', 'scan/link-snapshot.ts', 'scan/parse/detect-language.ts'],
    true,
  );
  return {
    segments: Number.parseInt(hashOf([parsing, ...foreign, grammars].join('\n')).slice(0, 8), 16),
    rules: hashOf(rules),
  };
}

function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12);
}

function vendorFile(name) {
  return `${name.replaceAll(/[@/]/g, '-')}.js`;
}

/** Token lists are 200,000 strings to compile: packed as bytes they load ten times as fast. */
async function packTokens(name) {
  const bundled = await build({
    ...shared,
    format: 'esm',
    stdin: {
      contents: "export * from './src/context/fit/tokens/rank-table.ts';",
      resolveDir: root,
    },
    write: false,
  });
  const code = Buffer.from(bundled.outputFiles[0].contents).toString('base64');
  const { packPool, placeTokens, poolOf } = await import(`data:text/javascript;base64,${code}`);
  const { default: vocabulary } = await import(name);
  const pool = poolOf(vocabulary);
  const file = vendorFile(name).replace(/\.js$/, '.tokens');
  writeFileSync(`${dist}vendor/${file}`, packPool(pool, placeTokens(pool)));
  writeFileSync(
    `${dist}vendor/${vendorFile(name)}`,
    `import{readFileSync}from'node:fs';export default readFileSync(new URL('./${file}',import.meta.url));\n`,
  );
}

/** Entries of one package share their classes: each alone would bring its own copy. */
function isTogether(name) {
  return name.startsWith('@modelcontextprotocol/');
}

async function buildTogether() {
  const names = [...vendored].filter(isTogether);
  if (names.length === 0) return;
  await build({
    ...shared,
    format: 'esm',
    splitting: true,
    minifySyntax: true,
    minifyWhitespace: true,
    banner: ours.banner,
    entryPoints: Object.fromEntries(names.map((name) => [vendorFile(name).replace(/\.js$/, ''), name])),
    chunkNames: 'shared-[hash]',
    outdir: `${dist}vendor`,
  });
}

/** Names are written out, because those of a CommonJS package cannot be passed on otherwise. */
async function buildVendored(name) {
  if (name.includes('/bpeRanks/')) return packTokens(name);
  const names = Object.keys(await import(name)).filter((one) => /^[a-z_$][\w$]*$/i.test(one));
  const passedOn = names.map((one) => `export ${one === 'default' ? one : `const ${one} =`} all.${one};\n`);
  await build({
    ...shared,
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    banner: ours.banner,
    stdin: {
      contents: `import * as all from '${name}';\n${passedOn.join('')}`,
      resolveDir: root,
    },
    outfile: `${dist}vendor/${vendorFile(name)}`,
  });
}

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
    writeFileSync(`${dist}grammars/${name}.wasm.br`, compress(bytes, hash));
  }
  if (process.argv.includes('--pin-grammars'))
    writeFileSync(`${root}scripts/grammars.json`, `${JSON.stringify(pins, Object.keys(pins).sort(), 2)}\n`);
}

/** Compressed once for each content: it takes seconds. */
function compress(bytes, hash) {
  const packed = `${cache}${hash}.br`;
  if (!existsSync(packed))
    writeFileSync(packed, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  return readFileSync(packed);
}

/**
 * The template engine for src/platform/cache/template-runtime.ts, which runs its JavaScript with names of its own: it is
 * not bundled, and is read when a prompt is rendered. After an update, put the new hash into scripts/wasm.json.
 */
async function copyTemplateEngine() {
  const name = 'minijinja-js';
  const folder = `${root}node_modules/${name}/dist/node/`;
  const bytes = readFileSync(`${folder}minijinja_js_bg.wasm`);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const pinned = JSON.parse(readFileSync(`${root}scripts/wasm.json`, 'utf8'))[name];
  if (pinned !== hash) throw new Error(`${name}: hash ${hash} is not the pinned ${pinned}`);
  const glue = readFileSync(`${folder}minijinja_js.js`, 'utf8');
  const { code } = await transform(glue, { target: 'node20', minifyWhitespace: true, minifySyntax: true });
  writeFileSync(`${dist}vendor/${name}.cjs`, code);
  writeFileSync(`${dist}vendor/${name}.wasm.br`, compress(bytes, hash));
  bundledPackages.add(name);
}

/** Built-in roles as the program would read them (src/context/roles/read-role-document.ts). */
async function parseBuiltInRoles() {
  const { outputFiles } = await build({
    ...shared,
    format: 'esm',
    write: false,
    entryPoints: [`${root}src/schema/parse-yaml-safely.ts`],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire('file:///');" },
  });
  const module = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`;
  const { parseYamlSafely } = await import(module);
  const names = readdirSync(`${root}roles`).filter((name) => name.endsWith('.yaml'));
  return Promise.all(
    names.sort().map(async (name) => {
      const text = readFileSync(`${root}roles/${name}`, 'utf8');
      const { value, positions } = await parseYamlSafely(text, name);
      return { text, value, positions: [...positions] };
    }),
  );
}

/** Asked of the language table itself, so that a new language needs no entry here. */
async function grammarNames() {
  const table = await build({
    ...shared,
    format: 'esm',
    write: false,
    entryPoints: [`${root}src/scan/parse/languages/table.ts`],
  });
  const { LANGUAGES } = await import(`data:text/javascript,${encodeURIComponent(table.outputFiles[0].text)}`);
  const used = LANGUAGES.filter(({ structure }) => structure?.engine === 'tree-sitter');
  return ['web-tree-sitter', ...new Set(used.map(({ structure }) => structure.grammar))].sort();
}

/** Licences of everything that is bundled or shipped, which they require. */
async function writeThirdPartyNotices() {
  const listed = JSON.parse(readFileSync(`${root}scripts/bundled.json`, 'utf8'));
  const unlisted = [...bundledPackages].filter((name) => !listed.includes(name));
  if (unlisted.length > 0) throw new Error(`not in scripts/bundled.json: ${unlisted.join(', ')}`);
  const packages = listed.map((name) => {
    const folder = `${root}node_modules/${name}/`;
    const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
    const file = ['LICENSE', 'LICENSE.txt', 'LICENSE.md', 'license', 'LICENCE', 'LICENSE-MIT'].find((one) =>
      existsSync(folder + one),
    );
    // Some packages name their licence and leave out its text.
    const kept = `${root}scripts/package-licenses/${name}.txt`;
    if (!file && !existsSync(kept)) throw new Error(`${name} has no licence file`);
    const texts = [file ? folder + file : kept, `${folder}ThirdPartyNoticeText.txt`].filter(existsSync);
    return notice(
      `${name} ${manifest.version} (${manifest.license})`,
      texts.map((one) => readFileSync(one, 'utf8').trim()).join('\n\n'),
    );
  });
  // the package with the grammars does not include their licences, and each has its own author
  const grammars = (await grammarNames())
    .filter((name) => name !== 'web-tree-sitter')
    .map((name) =>
      notice(`grammar ${name}`, readFileSync(`${root}scripts/grammar-licenses/${name}.txt`, 'utf8').trim()),
    );
  writeFileSync(`${dist}THIRD_PARTY_NOTICES.md`, [...packages, ...grammars].join('\n'));
}

function notice(title, text) {
  return `# ${title}\n\n${text}\n`;
}
