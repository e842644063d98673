import type * as TypeScript from 'typescript';
import type { ScriptFindings } from './script-findings.ts';

/** Types whose members hold no code: interfaces and enums with their members, aliases. */
export function findTypeDeclaration(found: ScriptFindings, node: TypeScript.Node): boolean {
  const { ts } = found;
  if (ts.isInterfaceDeclaration(node)) interfaceDeclaration(found, node);
  else if (ts.isTypeAliasDeclaration(node)) found.define('type', node.name, node);
  else if (ts.isEnumDeclaration(node)) {
    found.define('enum', node.name, node, found.braces(node.members, node));
    for (const member of node.members) found.define('enum-member', member.name, member);
  } else return false;
  return true;
}

function interfaceDeclaration(found: ScriptFindings, node: TypeScript.InterfaceDeclaration): void {
  const { ts } = found;
  found.define('interface', node.name, node, found.braces(node.members, node));
  for (const member of node.members) {
    if (ts.isMethodSignature(member)) found.define('method', member.name, member);
    else if (ts.isPropertySignature(member)) found.define('property', member.name, member);
    else if (ts.isIndexSignatureDeclaration(member)) found.define('property', '[index]', member);
    else if (ts.isCallSignatureDeclaration(member)) found.define('method', '(call)', member);
    else if (ts.isConstructSignatureDeclaration(member)) found.define('constructor', 'new', member);
  }
}
