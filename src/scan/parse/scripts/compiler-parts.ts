import type * as TypeScript from 'typescript';

/**
 * What is used of the TypeScript compiler. The package holds no more of it than these need: its parser, a quarter of
 * the whole, where nodes have no methods.
 */
export const COMPILER_PARTS = [
  'NodeFlags',
  'SyntaxKind',
  'createSourceFile',
  'forEachChild',
  'idText',
  'isAccessor',
  'isArrowFunction',
  'isAsExpression',
  'isAwaitExpression',
  'isBinaryExpression',
  'isBlock',
  'isCallExpression',
  'isCallSignatureDeclaration',
  'isCaseBlock',
  'isCaseOrDefaultClause',
  'isCatchClause',
  'isClassDeclaration',
  'isClassExpression',
  'isConstructSignatureDeclaration',
  'isConstructorDeclaration',
  'isEnumDeclaration',
  'isExportAssignment',
  'isExportDeclaration',
  'isExpressionStatement',
  'isExternalModuleReference',
  'isFunctionDeclaration',
  'isFunctionExpression',
  'isIdentifier',
  'isImportDeclaration',
  'isImportEqualsDeclaration',
  'isIndexSignatureDeclaration',
  'isInterfaceDeclaration',
  'isMethodDeclaration',
  'isMethodSignature',
  'isModuleBlock',
  'isModuleDeclaration',
  'isNamedExports',
  'isNamespaceImport',
  'isObjectLiteralExpression',
  'isOmittedExpression',
  'isParenthesizedExpression',
  'isPropertyAccessExpression',
  'isPropertyAssignment',
  'isPropertyDeclaration',
  'isPropertySignature',
  'isSatisfiesExpression',
  'isStatement',
  'isStringLiteral',
  'isStringLiteralLike',
  'isTypeAliasDeclaration',
  'isVariableStatement',
] as const;

export type Ts = Pick<typeof TypeScript.default, (typeof COMPILER_PARTS)[number]> & {
  /** What `node.getStart()` calls; the compiler's types do not show it. */
  getTokenPosOfNode(node: TypeScript.Node, file: TypeScript.SourceFile): number;
};
