// The table of languages. Everything else asks this table and names no language.
import type { ImportResolver } from '../../../model/import-resolver.ts';
import type { Language } from '../language.ts';
import { cFamilyResolver } from '../resolvers/c-family.ts';
import { csharpResolver } from '../resolvers/csharp.ts';
import { cssResolver } from '../resolvers/css.ts';
import { dartResolver } from '../resolvers/dart.ts';
import { elixirResolver } from '../resolvers/elixir.ts';
import { goResolver } from '../resolvers/go.ts';
import { haskellResolver } from '../resolvers/haskell.ts';
import { javascriptResolver } from '../resolvers/javascript.ts';
import { jvmResolver } from '../resolvers/jvm.ts';
import { luaResolver } from '../resolvers/lua.ts';
import { phpResolver } from '../resolvers/php.ts';
import { pythonResolver } from '../resolvers/python.ts';
import { rubyResolver } from '../resolvers/ruby.ts';
import { rustResolver } from '../resolvers/rust.ts';
import { shellResolver } from '../resolvers/shell.ts';
import { swiftResolver } from '../resolvers/swift.ts';
import { zigResolver } from '../resolvers/zig.ts';
import { c } from './c.ts';
import { cpp } from './cpp.ts';
import { csharp } from './csharp.ts';
import { css } from './css.ts';
import { dart } from './dart.ts';
import { elixir } from './elixir.ts';
import { go } from './go.ts';
import { haskell } from './haskell.ts';
import { html } from './html.ts';
import { java } from './java.ts';
import { javascript, tsx, typescript } from './javascript-family.ts';
import { json } from './json.ts';
import { kotlin } from './kotlin.ts';
import { lua } from './lua.ts';
import { markdown } from './markdown.ts';
import { php } from './php.ts';
import { PLAIN_LANGUAGES } from './plain-languages.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { scala } from './scala.ts';
import { shell } from './shell.ts';
import { sql } from './sql.ts';
import { less, scss } from './style-dialects.ts';
import { swift } from './swift.ts';
import { toml } from './toml.ts';
import { svelte, vue } from './vue.ts';
import { yaml } from './yaml.ts';
import { zig } from './zig.ts';

/** Gives languages of one ecosystem the same resolver: they import from each other by the same rules. */
function linked(resolver: ImportResolver, ...languages: readonly Language[]): readonly Language[] {
  return languages.map((language) => ({ ...language, resolver }));
}

/** Every language that Loadout reads. A new language needs one entry here. */
export const LANGUAGES: readonly Language[] = [
  ...linked(javascriptResolver, typescript, tsx, javascript, vue, svelte),
  ...linked(pythonResolver, python),
  ...linked(goResolver, go),
  ...linked(rustResolver, rust),
  ...linked(jvmResolver, java, kotlin, scala),
  ...linked(cFamilyResolver, c, cpp),
  ...linked(csharpResolver, csharp),
  ...linked(rubyResolver, ruby),
  ...linked(phpResolver, php),
  ...linked(swiftResolver, swift),
  ...linked(dartResolver, dart),
  ...linked(zigResolver, zig),
  ...linked(luaResolver, lua),
  ...linked(shellResolver, shell),
  ...linked(elixirResolver, elixir),
  ...linked(haskellResolver, haskell),
  ...linked(cssResolver, css, scss, less, html),
  // Languages below have no imports that lead to files.
  sql,
  json,
  yaml,
  toml,
  markdown,
  ...PLAIN_LANGUAGES,
];

const byId = new Map(LANGUAGES.map((language) => [language.id, language]));

/** The language with an id; null for null and for unknown ids. */
export function languageById(id: string | null): Language | null {
  return (id === null ? undefined : byId.get(id)) ?? null;
}
