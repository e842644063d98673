const KEPT = [
  'function',
  'class',
  'interface',
  'enum',
  'namespace',
  'module',
  'require',
  'import',
  'export',
] as const;
const OPENING_A_TYPE = ['class', 'interface', 'enum', 'namespace', 'module'] as const;
const NAMING_A_TEST = ['describe', 'it', 'test', 'suite', 'context', 'specify', 'bench'] as const;

export const KEPT_WORDS: ReadonlySet<string> = new Set(KEPT);
export const TYPE_OPENERS: ReadonlySet<string> = new Set(OPENING_A_TYPE);
export const TEST_WORDS: ReadonlySet<string> = new Set(NAMING_A_TEST);

const MAX_LENGTH = 15;

const shapeOf = (first: number, length: number) => (first << 4) | length;

const SHAPES = new Uint8Array(128 << 4);
for (const word of [...KEPT, ...NAMING_A_TEST, 'type']) SHAPES[shapeOf(word.charCodeAt(0), word.length)] = 1;

/** Whether a word can be one that means something here, by its first character and length: few others can. */
export function mayMatter(first: number, length: number): boolean {
  return length <= MAX_LENGTH && first < 128 && SHAPES[shapeOf(first, length)] === 1;
}
