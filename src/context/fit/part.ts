// The words of the fitter: parts, their forms, the rule that chooses, and the receipt for each part. Costs and limits
// have the same unit, which the caller chooses: tokens, bytes or characters.

/** One way to show a part. */
export interface PartForm {
  /** `full`, `excerpt`, `signatures`, `mention` for files; free for others. */
  readonly name: string;
  /** In the units of the limit. */
  readonly cost: number;
  /** Its worth to the reader. Only the strategy `value` uses it; the default is the priority of the part. */
  readonly value?: number;
}

/** Something that may go into a text: a file, a section of a prompt, a tool result. */
export interface Part {
  /** Unique in a request. */
  readonly id: string;
  /** A higher number is more important. Equal priorities are ordered by id. */
  readonly priority: number;
  /** Placed before all other parts. It is cut when no form fits. */
  readonly protected?: boolean;
  /** Parts of a group share a limit of their own, such as everything that is always included. */
  readonly group?: string;
  /** Best first. */
  readonly forms: readonly PartForm[];
}

/** The rule that chooses parts, as data. */
export type FitStrategy =
  /** Chooses parts and forms together, for the highest sum of values. */
  | { readonly kind: 'value' }
  /** The best parts first, each in the first of its forms that still fits. `forms` limits and orders them by name. */
  | { readonly kind: 'relevance'; readonly forms?: readonly string[] }
  /** The highest priority first, which is the latest. Long parts are cut to `maxPerItem`. */
  | { readonly kind: 'latest-first'; readonly maxItems: number; readonly maxPerItem: number };

/** The parts to fit, and the limit. */
export interface FitRequest {
  readonly parts: readonly Part[];
  readonly limit: number;
  readonly strategy: FitStrategy;
  /** Added to the cost of every chosen part, such as a separator. */
  readonly partOverhead?: number;
  /** Parts below this priority are never taken, unless they are protected. */
  readonly minimumPriority?: number;
  /** Limits by the name of a group. */
  readonly groupLimits?: Readonly<Record<string, number>>;
  /** A part is left out rather than cut to less than this. */
  readonly smallestCut?: number;
}

/** A part that is in. */
export interface ChosenPart {
  readonly id: string;
  /** Its index in the request. */
  readonly index: number;
  /** The name of the chosen form. */
  readonly form: string;
  /** The cost without the overhead. The caller has to cut a part with `cut` down to this. */
  readonly cost: number;
  /** The part gets less than its form costs. */
  readonly cut: boolean;
}

/** Why a part is not in. */
export type OutReason =
  | 'no-room'
  | 'below-minimum'
  | 'group-full'
  | 'too-many-items'
  | 'no-form'
  | 'worth-nothing'
  | 'over-limit-when-rendered';

/** The outcome for a part, and the reason. */
export type FitReceipt =
  | {
      readonly id: string;
      readonly outcome: 'in';
      readonly form: string;
      readonly cost: number;
      /** `smaller-form`: a better form did not fit, or other parts were worth more in that room. */
      readonly reason: 'protected' | 'chosen' | 'smaller-form' | 'cut';
      /** The cost of its first form. */
      readonly wholeCost: number;
    }
  | {
      readonly id: string;
      readonly outcome: 'out';
      readonly reason: OutReason;
      readonly wholeCost: number;
      /** The cost of its cheapest form. */
      readonly leastCost: number;
    };

/** The choice of the fitter. */
export interface FitResult {
  /** In the order of the request. */
  readonly chosen: readonly ChosenPart[];
  /** The cost of the chosen parts together with their overhead. Never above the limit. */
  readonly used: number;
  /** One for every part, in the order of the request. */
  readonly receipts: readonly FitReceipt[];
}
