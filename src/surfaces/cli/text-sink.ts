import { randomBytes } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { LoadoutError } from '../../model/loadout-error.ts';
import { errorCode } from '../../platform/error-code.ts';
import { writeHint } from '../../platform/fs/atomic-file.ts';

/** Takes a text piece by piece, as text or as UTF-8. */
export interface TextSink {
  write(text: string | Buffer): void | Promise<void>;
  /** Call it when all text is written. */
  finish(): void;
  /** Removes what was written. */
  abandon(): void;
}

/** Writes to a stream, and waits when its reader is slow. */
export function streamSink(stream: Writable): TextSink {
  return {
    write: (text) => {
      if (stream.write(text)) return;
      return new Promise((resolve) => {
        const done = () => {
          for (const event of ['drain', 'close', 'error']) stream.off(event, done);
          resolve();
        };
        for (const event of ['drain', 'close', 'error']) stream.once(event, done);
      });
    },
    finish: () => {},
    abandon: () => {},
  };
}

/** Writes to a draft that becomes the file when everything is written. */
export function fileSink(path: string): TextSink {
  const draft = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  const attempt = <Answer>(action: () => Answer): Answer => {
    try {
      return action();
    } catch (cause) {
      const code = errorCode(cause) || String(cause);
      throw new LoadoutError('cannot-write', `cannot write ${path} (${code})`, {
        subject: path,
        ...writeHint(code),
        cause,
      });
    }
  };
  const descriptor = attempt(() => openSync(draft, 'wx'));
  // A forced exit does not wait for `abandon`, so the draft is removed here too.
  const onExit = () => rmSync(draft, { force: true });
  process.once('exit', onExit);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
    process.off('exit', onExit);
  };
  const writeAll = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  };
  return {
    write: (text) => attempt(() => writeAll(typeof text === 'string' ? Buffer.from(text) : text)),
    finish: () =>
      attempt(() => {
        close();
        renameSync(draft, path);
      }),
    abandon: () => {
      close();
      rmSync(draft, { force: true });
    },
  };
}
