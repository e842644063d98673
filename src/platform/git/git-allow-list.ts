import { LoadoutError } from '../../model/loadout-error.ts';

/** Read-only commands with the options that are always added to them. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'cat-file': [],
  'check-attr': [],
  'check-ignore': [],
  // Looking into a submodule would start `git status` there, under that repository's own settings.
  'diff-files': ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
  'diff-index': ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
  'diff-tree': ['--no-ext-diff', '--no-textconv'],
  'for-each-ref': [],
  'hash-object': ['--no-filters'],
  log: ['--no-ext-diff', '--no-textconv', '--no-show-signature', '--no-color', '--no-decorate', '--no-notes'],
  'ls-files': [],
  'ls-tree': [],
  'merge-base': [],
  'rev-list': [],
  'rev-parse': [],
  'symbolic-ref': ['--quiet'],
};

/** Options that write, run a program or enter other repositories. git takes any unambiguous beginning of one. */
const FORBIDDEN_OPTIONS = [
  '--ext-diff',
  '--exec',
  '--filters',
  '--ignore-submodules',
  '--output',
  '--recurse-submodules',
  '--show-signature',
  '--submodule',
  '--textconv',
  '--upload-pack',
];
/** The shortest beginning that could still mean a forbidden option. */
const MIN_BEGINNING = '--x'.length;

/** The arguments with the fixed options added, or a `git-command-refused` error. */
export function checkGitArguments(args: readonly string[]): readonly string[] {
  const [command = '', ...rest] = args;
  const fixed = Object.hasOwn(COMMANDS, command) ? COMMANDS[command]! : null;
  if (fixed === null) return refuse(command, `only ${Object.keys(COMMANDS).join(', ')} are allowed`);
  const end = rest.findIndex((argument) => argument === '--' || argument === '--end-of-options');
  for (const option of end === -1 ? rest : rest.slice(0, end)) checkOption(command, option);
  if (command === 'symbolic-ref' && rest.filter((argument) => !argument.startsWith('-')).length !== 1) {
    return refuse(command, 'it may only be asked for one name');
  }
  return [command, ...fixed, ...rest];
}

function checkOption(command: string, option: string): void {
  if (option.includes('\0')) refuse(command, 'an argument holds a NUL character');
  const name = option.split('=', 1)[0]!;
  const forbidden = FORBIDDEN_OPTIONS.find(
    (known) => name.length >= MIN_BEGINNING && (known.startsWith(name) || name.startsWith(`${known}-`)),
  );
  if (forbidden !== undefined) refuse(command, `${option} may mean ${forbidden}`);
  // Signature placeholders run the configured gpg program.
  if (/%G|%\(signature/.test(option)) refuse(command, `${option} asks for signatures`);
  if (command === 'hash-object' && /^-[^-]*w/.test(option)) refuse(command, '-w writes an object');
  if (command === 'symbolic-ref' && /^-(?!-short$|-quiet$|q$)/.test(option))
    refuse(command, `${option} may write`);
}

function refuse(command: string, why: string): never {
  throw new LoadoutError('git-command-refused', `git ${command} is refused: ${why}`, { subject: command });
}
