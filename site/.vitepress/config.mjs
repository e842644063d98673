// The site: the pages of docs/ and of the root, in the order of docs/README.md.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../anchor.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const ROOT_PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'REVIEW.md',
  'SECURITY.md',
];
const START = 'docs/README.md';
const isPage = (path) => ROOT_PAGES.includes(path) || /^docs\/.*\.md$/.test(path);

/** Where links to sources lead; null as long as the manifest names no repository. */
const sources = /https:\/\/[^#]+?(?=\.git$|#|$)/.exec(manifest.repository?.url ?? '')?.[0] ?? null;

/** `docs/a.md` is `a.md` on the site; its first page is the table of contents. */
const placeOf = (path) => (path === START ? 'index.md' : path.replace(/^docs\//, ''));

/** The first heading of a page. */
const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? path;

/** The sections of docs/README.md with their links, and each decision below the last. */
function sidebar() {
  const sections = readFileSync(join(root, START), 'utf8').split(/^## /m).slice(1);
  return sections.map((section) => {
    const [title] = section.split('\n', 1);
    const links = [...section.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)].map(([, text, target]) => ({
      text: text[0].toUpperCase() + text.slice(1),
      path: normalize(join('docs', target)),
    }));
    const inFolder = links.flatMap(({ path }) => {
      if (path !== 'docs/adr/README.md') return [];
      const names = readdirSync(join(root, 'docs/adr')).filter((name) => /^\d{4}-.*\.md$/.test(name));
      return names.sort().map((name) => ({ text: titleOf(`docs/adr/${name}`), path: `docs/adr/${name}` }));
    });
    const items = [...links, ...inFolder].map(({ text, path }) => ({ text, link: `/${placeOf(path)}` }));
    return { text: title, collapsed: inFolder.length > 0, items };
  });
}

/** A link to a page leads to its place on the site. A link to another file leads to the repository host, or is plain text without one. */
function linkSources(md) {
  // pages have no HTML but comments; `<id>` in a sentence is text
  md.core.ruler.before('block', 'no-comments', (state) => {
    state.src = state.src.replace(/^<!--[\s\S]*?-->$/gm, '');
  });
  // braces in a page are text, not expressions of the template that the page becomes
  for (const name of ['text', 'code_inline']) {
    const render = md.renderer.rules[name];
    md.renderer.rules[name] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
  }
  md.core.ruler.push('source-links', (state) => {
    const page = state.env.realPath ?? state.env.path;
    const path = page.slice(root.length).replaceAll('\\', '/');
    for (const { children } of state.tokens) {
      let closes = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') closes = rewrite(token, path);
        else if (token.type === 'link_close' && closes) token.tag = 'span';
      }
    }
  });
}

/** Whether the link became plain text. */
function rewrite(token, page) {
  const [file, anchor] = token.attrGet('href').split('#');
  if (file === '' || /^[a-z]+:/.test(file)) return false;
  const target = normalize(join(dirname(page), decodeURI(file))).replace(/\/$/, '');
  // a link that leads nowhere stays: the build then fails
  if (!existsSync(join(root, target))) return false;
  if (isPage(target)) {
    token.attrSet('href', `/${placeOf(target)}${anchor ? `#${anchor}` : ''}`);
    return false;
  }
  if (sources !== null) {
    const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
    token.attrSet('href', `${sources}/${kind}/main/${target}${anchor ? `#${anchor}` : ''}`);
    return false;
  }
  token.tag = 'span';
  token.attrs = [['title', target]];
  return true;
}

export default defineConfig({
  title: 'Loadout',
  description: manifest.description,
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: '..',
  srcExclude: [
    ...readdirSync(root).filter((name) => name.endsWith('.md') && !ROOT_PAGES.includes(name)),
    ...readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'docs')
      .map((entry) => `${entry.name}/**`),
  ],
  rewrites: { [START]: 'index.md', 'docs/:path(.*)': ':path' },
  metaChunk: true,
  markdown: { html: false, anchor: { slugify: anchorOf }, toc: { slugify: anchorOf }, config: linkSources },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start/setup.md' },
      { text: 'Guides', link: '/guides/packing.md' },
      { text: 'Reference', link: '/reference/commands.md' },
      { text: 'Explanation', link: '/ARCHITECTURE.md' },
      { text: 'Decisions', link: '/adr/README.md' },
    ],
    sidebar: sidebar(),
    ...(sources === null ? {} : { socialLinks: [{ icon: 'github', link: sources }] }),
  },
});
