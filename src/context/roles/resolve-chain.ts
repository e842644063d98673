import { nearestName } from '../../schema/nearest-name.ts';
import type { RoleText } from './read-role-document.ts';
import type { RoleFinding } from './role.ts';
import { type RoleDocument, roleFinding } from './role-document.ts';
import type { RolePlace } from './role-places.ts';
import { showValue } from './show-value.ts';

/** A chain may have any depth, but all its files together no more than this. */
const MAX_CHAIN_BYTES = 1024 * 1024;

export interface RoleChain {
  /** The role's own file first. */
  readonly documents: readonly RoleDocument[];
  readonly findings: readonly RoleFinding[];
}

/**
 * Follows `extends` to the root. A parent is looked for in the place of its child and in those after it, never in
 * one before: a repository cannot change what the user's own roles mean. A role that extends its own name means
 * the one in a later place, and so does a file that stands in the place of another role and is not trusted, whatever
 * it says: nobody gets another base, template or set of permissions under a name that is known.
 */
export async function resolveChain(
  own: RoleDocument,
  places: readonly RolePlace[],
  readDocument: (text: RoleText) => Promise<RoleDocument>,
): Promise<RoleChain> {
  const documents = [own];
  const findings = [...own.findings];
  let bytes = own.bytes;
  let from = Math.max(
    0,
    places.findIndex(({ kind }) => kind === own.place),
  );
  for (let child = own; isHeldToName(child) || typeof child.values.extends === 'string'; ) {
    const said = child.values.extends;
    const parentName: string = typeof said === 'string' ? said : child.name;
    const chain = [...documents.map(({ name }) => name), parentName];
    const asked = findRole(parentName, child, places, from);
    // What it asks for must exist all the same: the mistake would come up on the day it is trusted.
    const found = asked && isHeldToName(child) ? findRole(child.name, child, places, from) : asked;
    const isRepeated = documents.some(({ file }) => file === found?.text.file);
    if (isRepeated || (!found && parentName === child.name)) {
      findings.push(chainFinding('cycle', child, chain, 'which leads back to itself'));
      break;
    }
    if (!found) {
      findings.push(chainFinding('missing-parent', child, chain, describeMissing(parentName, places, from)));
      break;
    }
    const parent = await readDocument(found.text);
    bytes += parent.bytes;
    if (bytes > MAX_CHAIN_BYTES) {
      const what = `and the files of the chain have more than ${MAX_CHAIN_BYTES} bytes together`;
      findings.push(chainFinding('chain-too-large', child, chain, what));
      break;
    }
    findings.push(...parent.findings.map((finding) => inherited(finding, chain)));
    documents.push(parent);
    child = parent;
    from = found.place;
  }
  return { documents, findings };
}

const isHeldToName = ({ isTrusted, replaces }: RoleDocument): boolean => !isTrusted && replaces !== null;

function findRole(name: string, child: RoleDocument, places: readonly RolePlace[], from: number) {
  for (let place = from; place < places.length; place += 1) {
    const isOwnPlace = places[place]!.kind === child.place;
    if (isOwnPlace && name === child.name) continue;
    const text = places[place]!.read(name);
    if (text) return { text, place };
  }
  return null;
}

function describeMissing(name: string, places: readonly RolePlace[], from: number): string {
  const known = new Set(places.slice(from).flatMap((place) => place.names()));
  const near = nearestName(name, known);
  const before = places.slice(0, from).find((place) => place.names().includes(name));
  if (before) return `which is only in ${before.label}, where this role may not look`;
  const hint = near ? `did you mean ${near}?` : `known are ${[...known].slice(0, 30).join(', ') || 'none'}`;
  return `and there is no such role; ${hint}`;
}

function chainFinding(
  code: 'cycle' | 'missing-parent' | 'chain-too-large',
  child: RoleDocument,
  chain: readonly string[],
  what: string,
): RoleFinding {
  const value = child.values.extends;
  return roleFinding(child.file, {
    code,
    position: child.positions.get('/extends'),
    field: 'extends',
    value: { of: value },
    says: `extends is ${showValue(value)}, ${what} (chain: ${showChain(chain)})`,
  });
}

/** A finding about a file that the user did not ask for says how it came into play. */
function inherited(finding: RoleFinding, chain: readonly string[]): RoleFinding {
  return { ...finding, message: `${finding.message} (chain: ${showChain(chain)})` };
}

function showChain(chain: readonly string[]): string {
  const names = chain.map((name) => name.slice(0, 80));
  if (names.length <= 20) return names.join(' -> ');
  return [...names.slice(0, 10), `${names.length - 20} more`, ...names.slice(-10)].join(' -> ');
}
