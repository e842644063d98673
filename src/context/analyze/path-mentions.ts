import type { PathMention, TaskZone } from '../../model/task-analysis.ts';
import { moduleMentions } from './module-mentions.ts';
import type { Passage, TaskAddress } from './passage.ts';
import { type PathToken, readPathToken } from './path-token.ts';
import { pathTokens } from './path-tokens.ts';
import { repositoryLocation } from './repository-url.ts';

/** Every path, module and address of a repository that the task names, in order, each once per zone. */
export function pathMentions(passages: readonly Passage[], addresses: readonly TaskAddress[]): PathMention[] {
  const found = new Map<string, PathMention>();

  function add(kind: PathMention['kind'], { path, line }: PathToken, zone: TaskZone): void {
    const key = `${kind}\0${path}\0${line}\0${zone}`;
    if (!found.has(key)) found.set(key, { path, kind, line, zone });
  }

  for (const { url, zone } of addresses) {
    const location = repositoryLocation(url);
    if (location) add('url', location, zone);
  }
  const read = rememberingReader();
  for (const passage of passages) {
    for (const token of pathTokens(passage, read)) add('path', token, passage.zone);
    for (const path of moduleMentions(passage)) add('module', { path, line: null }, passage.zone);
  }
  return [...found.values()];
}

/** Logs repeat themselves: each token is read once per setting. */
function rememberingReader(): typeof readPathToken {
  const known = new Map<string, PathToken | null>();
  return (token, setting) => {
    const key = `${Number(setting.isQuoted)}${Number(setting.isCode)}${token}`;
    let read = known.get(key);
    if (read === undefined) {
      read = readPathToken(token, setting);
      known.set(key, read);
    }
    return read;
  };
}
