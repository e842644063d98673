import type { RepositoryCommand } from '../../../model/context-pack.ts';
import type { CommandReader } from './manifests.ts';
import { SCRIPT_NAMES } from './script-names.ts';

const FILES: readonly (readonly [path: string, program: string])[] = [
  ['Makefile', 'make'],
  ['makefile', 'make'],
  ['GNUmakefile', 'make'],
  ['justfile', 'just'],
  ['Justfile', 'just'],
];
const TARGETS = /^@?([A-Za-z][\w.:-]*?)(?: +[^:=\n]*)?:(?![:=])/gm;

/** Targets with telling names. */
export const readMakeTargets: CommandReader = (manifests) =>
  FILES.flatMap(([path, program]) => {
    const text = manifests.text(path);
    if (text === null) return [];
    const targets = new Set(Array.from(text.matchAll(TARGETS), ([, name]) => name!));
    return SCRIPT_NAMES.flatMap(([purpose, names]): RepositoryCommand[] => {
      const target = names.find((name) => targets.has(name));
      return target === undefined ? [] : [{ purpose, command: `${program} ${target}`, path }];
    });
  });
