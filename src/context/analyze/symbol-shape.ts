/** Names of products and of their makers that are written like symbols. */
const PRODUCT_NAMES = new Set(
  `github gitlab bitbucket javascript typescript coffeescript macos ios ipados iphone ipad youtube
  stackoverflow linkedin postgresql mysql sqlite mongodb mariadb graphql websocket websockets openai
  chatgpt powershell intellij vscode webstorm pycharm ubuntu wordpress jsfiddle codepen codesandbox
  stackblitz npmjs nodejs restapi readthedocs devtools`.split(/\s+/),
);

/** `URLs`, `ORed`. */
const INFLECTED_ACRONYM = /^[A-Z]{2,}(?:s|ed|ing)$/;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function kindOf(character: string): number {
  if (character >= '0' && character <= '9') return DIGIT;
  const lower = character.toLowerCase();
  if (lower !== character) return UPPER;
  return lower !== character.toUpperCase() ? LOWER : OTHER;
}

/** `aB`, `HTTPServer`, `Linear1D`, `Python3`: capitals and digits where a sentence has none. */
function isCamel(name: string): boolean {
  let before = OTHER;
  let capitals = 0;
  for (let at = 0; at < name.length; at++) {
    const kind = kindOf(name[at]!);
    if (before === LOWER && kind === UPPER) return true;
    // "HTTPServer" changes back to words, "URLs" does not
    if (capitals > 1 && kind === LOWER && at + 1 < name.length && kindOf(name[at + 1]!) === LOWER)
      return true;
    if (kind === DIGIT && at > 0 && kindOf(name[0]!) === UPPER && name.length > 2) return true;
    capitals = kind === UPPER ? capitals + 1 : 0;
    before = kind;
  }
  return false;
}

/** `snake_case`, `CamelCase`, `SCREAMING_CASE`, `__dunder__`: no word of a sentence is written like this. */
export function isCompound(name: string): boolean {
  if (name.length < 3 || PRODUCT_NAMES.has(name.toLowerCase())) return false;
  if (!name.includes('_')) return isCamel(name) && !INFLECTED_ACRONYM.test(name);
  const bare = name.replace(/^_+/, '');
  const kind = kindOf(bare[0] ?? '');
  return (kind === LOWER || kind === UPPER) && bare.length > 1;
}

/** `Calendar`, `LPOP`: perhaps a name, perhaps just a noun. */
export function isCapitalized(name: string): boolean {
  if (name.length < 2 || kindOf(name[0]!) !== UPPER) return false;
  return !PRODUCT_NAMES.has(name.toLowerCase()) && !INFLECTED_ACRONYM.test(name);
}

/** Words of languages that stand in front of a parenthesis without being called. */
const KEYWORDS = new Set(
  `if else elif for foreach while until switch case match return function fn func def fun sub catch except
  with and or not in is as new throw raise await yield typeof sizeof instanceof assert when unless do try
  let const var val import export class struct enum trait impl interface extends super self this cls print
  lambda void int str string bool float double char long any none null nil true false undefined del pass
  break continue from where select public private protected static final async mut ref pub use mod begin
  end then type typename template namespace using require include`.split(/\s+/),
);

export function isKeyword(name: string): boolean {
  return KEYWORDS.has(name);
}
