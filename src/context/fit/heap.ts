/** A binary heap of numbers. The fitter and the token counter need the best of many items, again and again. */
export interface Heap {
  push(item: number): void;
  /** Removes the first item by the order of the heap; undefined when it is empty. */
  pop(): number | undefined;
}

/** `before` says whether one item comes before another. It must be a strict order. */
export function createHeap(before: (one: number, other: number) => boolean): Heap {
  const items: number[] = [];
  return {
    push(item) {
      let at = items.length;
      items.push(item);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!before(item, items[parent]!)) break;
        items[at] = items[parent]!;
        at = parent;
      }
      items[at] = item;
    },
    pop() {
      const top = items[0];
      const last = items.pop();
      if (last === undefined || items.length === 0) return top;
      let at = 0;
      for (let child = 1; child < items.length; child = at * 2 + 1) {
        if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++;
        if (!before(items[child]!, last)) break;
        items[at] = items[child]!;
        at = child;
      }
      items[at] = last;
      return top;
    },
  };
}
