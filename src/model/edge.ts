export type EdgeKind = 'import' | 'reference' | 'test';
