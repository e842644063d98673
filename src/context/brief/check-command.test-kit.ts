import { checkCommand } from './check-command.ts';

export type Files = Readonly<Record<string, string>>;

/** The command for `path`, `path:line`, and a case in it, in a repository of these files. */
export function commandIn(files: Files, path: string, name?: string, container?: string): string | null {
  const [file, line] = path.split(':');
  const texts = new Map([[file!, ''], ...Object.entries(files)]);
  return checkCommand(
    { path: file!, name, container, line: line === undefined ? undefined : Number(line) },
    { files: new Set(texts.keys()), read: (one) => texts.get(one) ?? null },
  );
}

export function manifest(content: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ name: 'shop', version: '1.0.0', private: true, ...content }, null, 2);
}

export const VITEST = manifest({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '^4.0.0' } });
export const JEST = manifest({ scripts: { test: 'jest --coverage' }, devDependencies: { jest: '^30.0.0' } });
