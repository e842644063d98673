// The install command of README and docs, from one place: `name` and `release.published` in package.json.
//   node scripts/install-command.mjs              writes it into the pages
//   node scripts/install-command.mjs --published  first marks the package as published (the release does this)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Pages with a block between the two marks. */
export const PAGES = ['README.md', 'docs/start/setup.md'];
const BLOCK = /(<!-- install: [^\n]* -->\n)[\s\S]*?(<!-- \/install -->)/g;

/** Commands that get a package from a registry. `npm install -g "$(npm pack)"` and `./x.tgz` do not. */
const FROM_REGISTRY =
  /\b(?:npx|bunx|pnpm dlx|yarn dlx|npm exec|npm (?:i|install|add))\b(?: (?:-{1,2}[\w=-]+|--))* ((?:@[\w.-]+\/)?[\w.-]+)(?=[@\s`"]|$)/g;

/** The install commands, for a package that is published and for one that is not. */
export function installText({ name, release }) {
  if (release.published)
    return `\`\`\`sh
npx -y ${name} --version      # try it: downloads the package once
npm install -g ${name}        # puts \`loadout\` on your PATH
\`\`\``;
  return `Loadout is not in the npm registry yet. In a clone of its repository:

\`\`\`sh
npm ci && npm run build
npm link                                   # puts \`loadout\` on your PATH; stays connected to the clone
npm install -g "$(npm pack --silent)"      # or: a copy that no longer needs the clone
\`\`\``;
}

/** The page with the block that the manifest gives. */
export function withInstallText(page, manifest) {
  return page.replace(BLOCK, (_all, start, end) => `${start}\n${installText(manifest)}\n\n${end}`);
}

/** Commands of a page that would install this package although no registry has it. */
export function unpublishedCommands(page, { name, release }) {
  if (release.published) return [];
  return [...page.matchAll(FROM_REGISTRY)]
    .filter(([, wanted]) => wanted === name || wanted === 'loadout')
    .map(([command]) => command);
}

function main() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const file = join(root, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  if (process.argv.includes('--published') && !manifest.release.published) {
    manifest.release.published = true;
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
    console.log('package.json: published');
  }
  for (const page of PAGES) {
    const path = join(root, page);
    const text = readFileSync(path, 'utf8');
    const next = withInstallText(text, manifest);
    if (next === text) continue;
    writeFileSync(path, next);
    console.log(page);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
