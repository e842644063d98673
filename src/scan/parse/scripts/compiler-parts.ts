import type * as TypeScript from 'typescript';

/**
 * The parts of the TypeScript compiler that are used. The build packs no more than these need: its parser, a quarter of
 * the whole, in which nodes have no methods. The build reads this list from the source.
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

/** The compiler, reduced to these parts. */
export type Ts = Pick<typeof TypeScript.default, (typeof COMPILER_PARTS)[number]> & {
  /** The function behind `node.getStart()`. The types of the compiler do not declare it. */
  getTokenPosOfNode(node: TypeScript.Node, file: TypeScript.SourceFile): number;
};
