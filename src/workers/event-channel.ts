/** Events from one writer to one reader. A reader that is slow or absent costs no memory worth mentioning. */
export class EventChannel<Event> implements AsyncIterable<Event> {
  readonly #waiting: Event[] = [];
  readonly #mayDrop: (event: Event) => boolean;
  #wake: (() => void) | null = null;
  #isClosed = false;

  constructor(mayDrop: (event: Event) => boolean) {
    this.#mayDrop = mayDrop;
  }

  push(event: Event): void {
    if (this.#isClosed || (this.#waiting.length >= MOST_WAITING && this.#mayDrop(event))) return;
    this.#waiting.push(event);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) yield event;
      else if (this.#isClosed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

const MOST_WAITING = 256;
