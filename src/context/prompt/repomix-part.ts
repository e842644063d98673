// Packs the plain files of a prompt with Repomix, for the setting `packer: repomix`. If that fails, Loadout packs them.

import { createHash } from 'node:crypto';
import type { Settings } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { environment, processId } from '../../platform/environment.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { makeFolder } from '../../platform/fs/make-folder.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { findProgram } from '../../platform/process/find-program.ts';
import { runProcess } from '../../platform/process/process-runner.ts';
import { redactSecrets } from '../../redact/index.ts';
import type { OpenScan } from '../../scan/index.ts';
import type { FileSection } from './file-section.ts';
import { MAX_TOTAL_BYTES } from './prompt-limits.ts';

interface RepomixPartRequest {
  readonly settings: Settings;
  readonly redact: boolean;
  readonly repomixCommand?: readonly string[];
  readonly signal?: AbortSignal;
}

/** The files as Repomix packs them. The text is empty when Loadout has to pack them itself. */
export async function packWithRepomix(
  { repository }: OpenScan,
  { settings, redact, signal, repomixCommand }: RepomixPartRequest,
  plain: readonly string[],
  taken: ReadonlySet<string>,
): Promise<FileSection & { readonly diagnostics: readonly Diagnostic[] }> {
  const paths = plain.filter((path) => !taken.has(path));
  if (settings.packer !== 'repomix' || paths.length === 0) return { text: '', files: [], diagnostics: [] };
  const answer = await runRepomix({
    repo: repository.root.path,
    paths,
    cacheDirectory: settings.cacheDir,
    redact,
    ...(signal ? { signal } : {}),
    ...(repomixCommand ? { command: repomixCommand } : {}),
  });
  if (answer.kind === 'failed') return { text: '', files: [], diagnostics: [answer.diagnostic] };
  const missing = new Set(answer.missing);
  const files = paths.filter((path) => !missing.has(path)).map((path) => ({ path, form: 'full' as const }));
  return { text: answer.text, files, diagnostics: answer.missing.map(leftOut) };
}

/** Repomix leaves out files that it finds suspicious or ignores by its own rules. */
function leftOut(path: string): Diagnostic {
  return { code: 'repomix-left-out', severity: 'warning', message: `repomix left out ${path}`, path };
}

/** Pinned, so that it changes only with a release of Loadout. The last version for the same Node versions. */
export const REPOMIX = 'repomix@1.14.0';
const TIMEOUT_MS = 60_000;
const MAX_PATHS = 500;
const FILE_HEADING = /^<file path="(.*)">$/gm;
/** Repomix splits its list at commas and reads each entry as a glob, so only these paths are safe. */
const PLAIN_PATH = /^[^,*?[\]{}()!\\]+$/;

interface RepomixRequest {
  readonly repo: string;
  /** Files, relative to the repository. Repomix gets no patterns, so it cannot pack other files. */
  readonly paths: readonly string[];
  readonly cacheDirectory: string;
  readonly redact: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** In place of `npx --yes repomix@…`. */
  readonly command?: readonly string[];
}

type RepomixAnswer =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Files that it left out. */
      readonly missing: readonly string[];
    }
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic };

/** Runs Repomix for some files. A failure of Repomix is a value: the caller then packs the files itself. */
export async function runRepomix(request: RepomixRequest): Promise<RepomixAnswer> {
  const { repo, paths, redact, timeoutMs = TIMEOUT_MS, signal } = request;
  if (paths.length > MAX_PATHS) return failed(`more than ${MAX_PATHS} files`);
  if (!paths.every((path) => PLAIN_PATH.test(path))) return failed('the name of a file has glob characters');
  const [program, ...first] = request.command ?? npx(repo);
  if (program === undefined) return failed('npx is not on the PATH');
  const folder = makeFolder(`${request.cacheDirectory}/repomix`);
  const name = `${createHash('sha256').update(`${repo}\0${processId()}`).digest('hex').slice(0, 16)}.xml`;
  // A config or .npmrc of the repository could name other files or another registry, so Repomix runs outside of it.
  writeFileAtomic(`${folder}/config.json`, '{}\n');
  writeFileAtomic(`${folder}/${name}`, '');
  const line = ['--style', 'xml', '--include', paths.join(','), '--output', `${folder}/${name}`];
  const result = await runProcess(program, [...first, ...line, '--config', `${folder}/config.json`, repo], {
    cwd: folder,
    timeoutMs,
    maxOutputBytes: MAX_TOTAL_BYTES,
    ...(signal ? { signal } : {}),
  });
  signal?.throwIfAborted();
  const output = openSafeRoot(folder).read(name, MAX_TOTAL_BYTES);
  writeFileAtomic(`${folder}/${name}`, '');
  if (result.outcome !== 'exited') return failed(result.outcome);
  if (result.exitCode !== 0) return failed(`exit code ${result.exitCode}${lastLine(result.stderr)}`);
  if (output.kind !== 'content' || output.bytes.length === 0) return failed('it wrote nothing');
  const decoded = decodeText(output.bytes);
  if (decoded.kind !== 'text') return failed('it wrote no text');
  const text = redact ? redactSecrets(decoded.text, 'repomix.xml').text : decoded.text;
  const packed = new Set(Array.from(text.matchAll(FILE_HEADING), (match) => match[1]));
  const missing = packed.size === 0 ? [] : paths.filter((path) => !packed.has(path));
  return { kind: 'text', text: text.trimEnd(), missing };
}

function npx(repo: string): readonly string[] {
  const program = findProgram('npx', environment(), repo);
  return program === null ? [] : [program, '--yes', REPOMIX];
}

function lastLine(stderr: Buffer): string {
  const line = stderr.toString('utf8').trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  return line === '' ? '' : ` (${line})`;
}

function failed(why: string): RepomixAnswer {
  const message = `repomix did not pack the files: ${why}; Loadout packs them itself`;
  return { kind: 'failed', diagnostic: { code: 'repomix-failed', severity: 'warning', message } };
}
