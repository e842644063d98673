// The parser of the TypeScript compiler, without the rest of it.
//
// The compiler is published as one file of nine megabytes, in which every part depends on every other. Its modules are
// in the order in which they need each other, each below a line with its name. Everything after the parser is left out,
// and of the part before it esbuild keeps only the code that the parser uses. A process that parses scripts starts a tenth of a
// second earlier, and the package is three megabytes smaller.
import { readFileSync } from 'node:fs';
import { build, transform } from 'esbuild';

const START = '((module) => {\n';
const FIRST_BEHIND = '\n// src/compiler/commandLineParser.ts\n';
/** The list of all exports of the compiler, which would keep all of it. */
const OFFER = /\n__export\(typescript_exports, \{[^}]*\}\);\nmodule\.exports = .*\n/;

/** Text of a CommonJS module; `shared` are options for esbuild. */
export async function buildCompilerParser(root, shared) {
  const whole = readFileSync(`${root}node_modules/typescript/lib/typescript.js`, 'utf8');
  const [start, end] = [whole.indexOf(START), whole.indexOf(FIRST_BEHIND)];
  if (start < 0 || end < start || !OFFER.test(whole))
    throw new Error('the layout of the TypeScript compiler has changed: adapt scripts/compiler-parser.mjs');
  const modules = whole.slice(start + START.length, end).replace(OFFER, '\n');
  const { outputFiles } = await build({
    ...shared,
    format: 'cjs',
    minify: true,
    write: false,
    // lists of a module's exports, which no code inside uses
    pure: ['__export'],
    stdin: { contents: `${modules}\nexport { ${(await usedParts(root)).join(', ')} };\n`, resolveDir: root },
  });
  return outputFiles[0].contents;
}

async function usedParts(root) {
  const source = readFileSync(`${root}src/scan/parse/scripts/compiler-parts.ts`, 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  const { COMPILER_PARTS } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return [...COMPILER_PARTS, 'getTokenPosOfNode'];
}
