// Reads a policy from profile files: YAML or JSON with a section `context_policy`.

import { parse, resolve } from 'node:path';
import { describeSkip } from '../../model/file-entry.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { checkArguments, either, listOf, objectWith, required, TEXT } from '../../schema/check-arguments.ts';
import { parseYamlSafely } from '../../schema/parse-yaml-safely.ts';
import { documentError, MAX_DOCUMENT_BYTES, pointerTo } from '../../schema/parsed-document.ts';
import { ContextPolicy, checkPolicyDict, type PolicyDict } from './context-policy.ts';

/** A profile that the caller has read. */
export interface PolicySource {
  /** Named in errors. */
  readonly name: string;
  /** YAML, or JSON. */
  readonly text: string;
}

const PROFILE = objectWith('{ name, text }', { name: TEXT, text: TEXT });
const SOURCES = listOf(either('a path or a profile', TEXT, PROFILE), 'profiles');
const SOURCE_KINDS = {
  sources: required(
    either('the path of a file, or a list of paths and of profiles { name, text }', TEXT, SOURCES),
  ),
};

/**
 * The policy of an agent from its profiles, the most general first. Each field comes from the last profile that sets it,
 * as with settings. A profile is a file's path, or its text with a name for messages. A profile without a section
 * `context_policy` changes nothing; without any section, the default holds.
 */
export async function loadContextPolicy(
  sources: string | readonly (PolicySource | string)[],
): Promise<ContextPolicy> {
  checkArguments('loadContextPolicy', { sources }, SOURCE_KINDS);
  let merged: Partial<PolicyDict> = {};
  for (const source of [sources].flat()) merged = { ...merged, ...(await readSection(sourceOf(source))) };
  return ContextPolicy.fromDict(merged);
}

/** Reads the file of a path; throws `unreadable` when it is not a text file. */
function sourceOf(given: PolicySource | string): PolicySource {
  if (typeof given !== 'string') return given;
  const { root, name } = splitPath(given);
  const outcome = root.read(name, MAX_DOCUMENT_BYTES);
  const decoded = outcome.kind === 'content' ? decodeText(outcome.bytes) : null;
  if (decoded?.kind === 'text') return { name: given, text: decoded.text };
  const why = describeSkip(outcome.kind === 'skipped' ? outcome.reason : 'binary');
  throw new LoadoutError('unreadable', `the profile ${given} cannot be read: ${why}`, { subject: given });
}

/** Links on the way are followed: the path is the caller's own. */
function splitPath(path: string) {
  const root = openSafeRoot(parse(resolve(path)).root);
  return { root, name: root.contain(resolve(path)) };
}

/** The checked section of one profile; errors name the line. */
async function readSection({ name, text }: PolicySource): Promise<Partial<PolicyDict>> {
  const { value, positions } = await parseYamlSafely(text, name);
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const section = isMap ? (value as { readonly context_policy?: unknown }).context_policy : undefined;
  if (section === undefined || section === null) return {};
  try {
    return checkPolicyDict(section);
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    const parent = pointerTo('', 'context_policy');
    const position = positions.get(pointerTo(parent, error.subject ?? '')) ?? positions.get(parent);
    if (position === undefined) throw error;
    const { message } = documentError(name, position, error.message);
    throw new LoadoutError(error.code, message, {
      subject: name,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      cause: error,
    });
  }
}
