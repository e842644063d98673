/** Numbers that look random and are the same for the same seed, so that every input can be made again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The numbers for one input: those of its neighbours have no part in them. */
  static for(name: string, seed: number, at: number): Random {
    let state = seed >>> 0;
    for (const text of [name, String(at)])
      for (const character of text) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193) >>> 0;
    const random = new Random(state);
    random.unit();
    return random;
  }

  /** From 0 to less than 1. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  chance(share: number): boolean {
    return this.unit() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** Mostly small, rarely up to the limit: long inputs cost time and seldom say more. */
  length(limit: number): number {
    return Math.floor(limit ** this.unit());
  }
}
