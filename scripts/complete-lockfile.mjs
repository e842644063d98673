// Adds the packages that npm leaves out of package-lock.json: optional packages for other platforms, when the registry
// does not offer them. Without their entries `npm ci` refuses the lockfile on every machine. Run it after
// each change of dependencies; it changes nothing in a complete lockfile.
//
//   node scripts/complete-lockfile.mjs [test/clients ...]
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** `@scope/name-linux-arm64-musl` names its machines. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os =
    SYSTEMS.find((system) => words.includes(system)) ?? (words.includes('windows') ? 'win32' : undefined);
  const cpu =
    PROCESSORS.find((processor) => words.includes(processor)) ??
    (words.includes('wasm32') ? 'wasm32' : undefined);
  return { ...(cpu ? { cpu: [cpu] } : {}), ...(os ? { os: [os] } : {}) };
}

function complete(folder) {
  const file = new URL(`../${folder}/package-lock.json`, import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  let added = 0;
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const place = `node_modules/${name}`;
      if (lock.packages[place] || lock.packages[`${path}/${place}`]) continue;
      lock.packages[place] = {
        version,
        ...platformOf(name),
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
      };
      added++;
    }
  }
  if (added > 0) {
    const [root, ...rest] = Object.entries(lock.packages);
    lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
    writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  }
  console.log(`${folder}/package-lock.json: ${added} entries added`);
}

const folders = process.argv.slice(2);
for (const folder of folders.length > 0 ? folders : ['.']) complete(folder);
