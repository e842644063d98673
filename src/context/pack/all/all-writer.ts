import type { ContextItem } from '../../../model/context-pack.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { SymbolDefinition } from '../../../model/symbol.ts';
import { createSplitter, type SplitOptions } from '../split/split-pack.ts';
import type { FrameTexts } from './frame-around.ts';

export type AllForm = 'full' | 'signatures';

export interface RenderedFile {
  readonly item: ContextItem;
  readonly text: string;
  /** Looked up only for files that have to be cut. */
  readonly symbols: () => readonly SymbolDefinition[];
}

/** Takes a package of everything piece by piece; a promise makes the next piece wait. */
export interface AllWriter {
  begin(frame: FrameTexts): void | Promise<void>;
  /** `again` renders the file once more, for whoever has to cut it. */
  file(bytes: Buffer, tokens: number, again: () => RenderedFile | null): void | Promise<void>;
  end(frame: FrameTexts): void | Promise<void>;
  /** Files may have to be cut between their definitions. */
  readonly cutsFiles?: boolean;
}

export type WriteText = (text: string | Buffer) => void | Promise<void>;

/** One document. Of several repositories the first opens it and the last closes it. */
export function documentWriter(write: WriteText, { opens = true, closes = true } = {}): AllWriter {
  return {
    begin: ({ header, before }) => write(`${opens ? header : ''}${before}`),
    file: (bytes) => write(bytes),
    end: ({ after, end }) => write(`${after}${closes ? end : ''}`),
  };
}

export interface PartsWriter extends AllWriter {
  /** Ends the last part. */
  finish(): Promise<{ readonly parts: number; readonly diagnostics: readonly Diagnostic[] }>;
}

/** Numbered documents of a limited size. */
export function partsWriter(options: SplitOptions): PartsWriter {
  const splitter = createSplitter(options);
  return {
    cutsFiles: true,
    begin: ({ before }) => splitter.addText(before, 'the outline'),
    file: (bytes, tokens, again) =>
      splitter.addRendered(bytes.toString('utf8'), tokens, () => {
        const rendered = again();
        return rendered && { item: rendered.item, symbols: rendered.symbols() };
      }),
    end: ({ after }) => splitter.addText(after, 'the end'),
    finish: () => splitter.finish(),
  };
}
