export type EdgeKind = 'import' | 'reference' | 'test';

/** `from` depends on `to`; both are paths relative to the root. */
export interface FileEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** In (0, 1]; imports weigh 1, references by the rarity of the names they rest on. */
  readonly weight: number;
}
