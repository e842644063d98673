import { defineSettings, option, type Setting, type SettingsOf } from './define-settings.ts';

/** Every setting there is. Flags, variables, config files, the schema and the reference page come from here. */
export const SETTINGS = defineSettings({
  enabled: option.boolean({
    default: true,
    env: 'CONTEXT_PACKAGE_ENABLED',
    trust: 'project',
    help: 'Build context packages at all. When false, hooks and workers go without.',
  }),
  tokenBudget: option.tokens({
    default: 100_000,
    min: 1,
    env: 'CONTEXT_PACKAGE_TOKEN_BUDGET',
    flag: '--budget',
    trust: 'project',
    help: 'Most tokens a package may have.',
  }),
  astWeight: option.number({
    default: 0.6,
    max: 1000,
    env: 'CONTEXT_PACKAGE_AST_WEIGHT',
    flag: '--ast-weight',
    trust: 'project',
    help: 'Weight of structure (symbols, graph, history); divided by the sum of both weights.',
  }),
  semanticWeight: option.number({
    default: 0.4,
    max: 1000,
    env: 'CONTEXT_PACKAGE_SEMANTIC_WEIGHT',
    flag: '--semantic-weight',
    trust: 'project',
    help: 'Weight of text (words, meaning); divided by the sum of both weights.',
  }),
  minRelevance: option.ratio({
    default: 0.2,
    env: 'CONTEXT_PACKAGE_MIN_RELEVANCE',
    flag: '--min-relevance',
    trust: 'project',
    help: 'Files with a lower combined score stay out of a package.',
  }),
  historyLimit: option.integer({
    default: 2000,
    max: 100_000,
    flag: '--history',
    trust: 'project',
    help: 'Commits to learn from, newest first; 0 means none.',
  }),
  summaryMaxTokens: option.tokens({
    default: 4000,
    min: 1,
    env: 'CONTEXT_PACKAGE_SUMMARY_MAX_TOKENS',
    flag: '--summary-tokens',
    trust: 'project',
    help: 'Most tokens of the summary that a hook injects.',
  }),
  scanInterval: option.duration({
    default: 300_000,
    max: 30 * 24 * 3_600_000,
    env: 'REPO_SCAN_INTERVAL',
    flag: '--interval',
    trust: 'project',
    help: 'Time between automatic scans; 0 means only when asked.',
  }),
  scanMode: option.choice({
    values: ['incremental', 'full'],
    default: 'incremental',
    env: 'REPO_SCAN_MODE',
    flag: '--mode',
    trust: 'project',
    help: 'Scan what changed, or everything.',
  }),
  include: option.list({
    default: [],
    placeholder: 'GLOB',
    flag: '--include',
    trust: 'project',
    help: 'Only files that match one of these patterns.',
    defaultText: 'all files',
  }),
  exclude: option.list({
    default: [],
    placeholder: 'GLOB',
    flag: '--exclude',
    trust: 'project',
    help: 'No files that match one of these patterns.',
    defaultText: 'none',
  }),
  maxFileBytes: option.bytes({
    default: 2_000_000,
    min: 1,
    max: 256_000_000,
    flag: '--max-file-size',
    trust: 'project',
    help: 'Larger files are listed, not read.',
  }),
  maxFiles: option.integer({
    default: 500_000,
    min: 1,
    max: 10_000_000,
    flag: '--max-files',
    trust: 'project',
    help: 'Files beyond this many are left out.',
  }),
  parseTimeout: option.duration({
    default: 2000,
    min: 1,
    max: 60_000,
    flag: '--parse-timeout',
    trust: 'project',
    help: 'Longest time for the structure of one file; after it the file counts as plain text.',
  }),
  parseWorkers: option.integer({
    default: 0,
    max: 16,
    flag: '--workers',
    trust: 'project',
    help: 'Processes that parse at the same time; 0 means one less than there are cores, up to 4.',
  }),
  cacheDir: option.directory({
    default: '',
    flag: '--cache-dir',
    trust: 'user',
    help: 'Folder that keeps the index.',
    defaultText: "`loadout` in the user's cache directory",
  }),
  domains: option.map({
    default: {},
    trust: 'project',
    help: 'Names of domains by path prefix, such as `src/billing` to `billing`.',
    defaultText: 'none',
  }),
  maxTokenBudget: option.tokens({
    default: 100_000,
    min: 1000,
    flag: '--max-budget',
    trust: 'user',
    help: 'Most tokens that a role may ask for, for models with a larger window.',
  }),
  packer: option.choice({
    values: ['loadout', 'repomix'],
    default: 'loadout',
    flag: '--packer',
    trust: 'user',
    help: 'What packs the files of a prompt. `repomix` runs that program; when it fails, Loadout does it.',
  }),
  hookPackage: option.choice({
    values: ['summary', 'full'],
    default: 'summary',
    flag: '--hook-package',
    trust: 'user',
    help: 'What a hook puts in front of the task of a subagent: the summary, or the files themselves.',
  }),
  hookBudget: option.tokens({
    default: 16_000,
    min: 1000,
    flag: '--hook-budget',
    trust: 'user',
    help: 'Most tokens of the files that a hook puts in front of a task.',
  }),
  hookServer: option.choice({
    values: ['running', 'start'],
    default: 'running',
    flag: '--hook-server',
    trust: 'user',
    help: 'Hooks ask `loadout serve` when it runs. `start`: the beginning of a session also starts it.',
  }),
  embeddingUrl: option.string({
    default: '',
    trust: 'user',
    help: 'Endpoint that turns texts into vectors, as OpenAI, Ollama and vLLM have it. Texts of your files go there.',
    defaultText: 'none: nothing is sent',
  }),
  embeddingModel: option.string({
    default: '',
    trust: 'user',
    help: 'Model that the endpoint is to use.',
    defaultText: 'none',
  }),
  embeddingKeyEnv: option.string({
    default: '',
    trust: 'user',
    help: 'Name of the environment variable that holds the key for the endpoint.',
    defaultText: 'none',
  }),
  embeddingModelDir: option.directory({
    default: '',
    trust: 'user',
    help: 'Folder of an ONNX model to use instead of an endpoint; needs the package @huggingface/transformers.',
    defaultText: 'none',
  }),
  embeddingTimeout: option.duration({
    default: 30_000,
    min: 1,
    max: 600_000,
    trust: 'user',
    help: 'Longest time for one request to the endpoint.',
  }),
  embeddingBudget: option.duration({
    default: 60_000,
    max: 24 * 3_600_000,
    trust: 'user',
    help: 'Time that a ranking may spend on vectors of new files; what is left is done by the next one.',
  }),
  loopGuard: option.string({
    default: '',
    flag: '--guard',
    trust: 'user',
    help: 'Command that must pass in the work tree before a node of a task tree counts as done.',
    defaultText: "none but the role's gates",
  }),
  loopPackage: option.boolean({
    default: true,
    trust: 'project',
    help: 'Put a context package for the node into every prompt of a task tree.',
  }),
  loopPromptBytes: option.bytes({
    default: 40_960,
    min: 4_096,
    max: 16_000_000,
    flag: '--prompt-bytes',
    trust: 'project',
    help: 'Most bytes that a prompt of a task tree may have.',
  }),
});

export type Settings = SettingsOf<typeof SETTINGS>;
export type SettingName = keyof Settings & string;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The declaration behind a name, for code that treats all settings alike. */
export function settingByName(name: string): Setting<unknown> | null {
  return Object.hasOwn(SETTINGS, name)
    ? (SETTINGS as unknown as Record<string, Setting<unknown>>)[name]!
    : null;
}
