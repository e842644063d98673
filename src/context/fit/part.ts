/** One way to show a part. */
export interface PartForm {
  /** `full`, `excerpt`, `signatures`, `mention` for files; free for others. */
  readonly name: string;
  /** In the units of the limit. */
  readonly cost: number;
  /** What it is worth to the reader; only the strategy `value` asks, and takes the priority when it is missing. */
  readonly value?: number;
}

/** Something that may go into a text: a file, a section of a prompt, a tool result. */
export interface Part {
  readonly id: string;
  /** More is more important. Equal ones go by id. */
  readonly priority: number;
  /** Never left out while anything unprotected is in; cut when it has no form that fits. */
  readonly protected?: boolean;
  /** Parts that share a cap of their own, such as everything that is always included. */
  readonly group?: string;
  /** Best first. */
  readonly forms: readonly PartForm[];
}

/** The rule by which parts are chosen, as data. */
export type FitStrategy =
  /** Parts and forms together, for the highest sum of values. */
  | { readonly kind: 'value' }
  /** Best first, each in the first of its forms that still fits. `forms` limits and orders them by name. */
  | { readonly kind: 'relevance'; readonly forms?: readonly string[] }
  /** Highest priority (latest) first; long ones are cut. */
  | { readonly kind: 'latest-first'; readonly maxItems: number; readonly maxPerItem: number };

export interface FitRequest {
  readonly parts: readonly Part[];
  readonly limit: number;
  readonly strategy: FitStrategy;
  /** What every chosen part adds to its cost, such as a separator. */
  readonly partOverhead?: number;
  /** Parts below this priority are never taken, unless they are protected. */
  readonly minimumPriority?: number;
  readonly groupLimits?: Readonly<Record<string, number>>;
  /** Cutting a part to less than this leaves nothing worth reading: it is left out instead. */
  readonly smallestCut?: number;
}

export interface ChosenPart {
  readonly id: string;
  /** Its place in the request. */
  readonly index: number;
  readonly form: string;
  /** What it takes; a cut part must be cut down to this. */
  readonly cost: number;
  readonly cut: boolean;
}

export type OutReason =
  | 'no-room'
  | 'below-minimum'
  | 'group-full'
  | 'too-many-items'
  | 'no-form'
  | 'worth-nothing'
  | 'over-limit-when-rendered';

/** What became of a part. */
export type FitReceipt =
  | {
      readonly id: string;
      readonly outcome: 'in';
      readonly form: string;
      readonly cost: number;
      /** `smaller-form`: a better one did not fit or was worth less than what took its place. */
      readonly reason: 'protected' | 'chosen' | 'smaller-form' | 'cut';
      /** What its first form would have cost. */
      readonly wholeCost: number;
    }
  | {
      readonly id: string;
      readonly outcome: 'out';
      readonly reason: OutReason;
      readonly wholeCost: number;
      /** What its cheapest form would have cost. */
      readonly leastCost: number;
    };

export interface FitResult {
  /** In the order of the request. */
  readonly chosen: readonly ChosenPart[];
  /** What the chosen parts take together; never above the limit. */
  readonly used: number;
  /** One for every part, in the order of the request. */
  readonly receipts: readonly FitReceipt[];
}
