import { anyOf } from './any-of.ts';

const HEADER = anyOf(
  /^(?:\w{1,80}\s{1,80})?Traceback \(most recent call last\)/,
  /^(?:During handling of the above exception|The above exception was the direct cause)/,
  /^(?:goroutine \d{1,9} \[|stack (?:backtrace|traceback):|Stack trace:|Backtrace:|CallStack \(from )/,
  /^(?:Caused by:|\[cause\]:|Suppressed:|\.\.\. \d{1,6} (?:more|frames|common frames)|--- End of )/,
  /^(?:Exception in thread |Unhandled [Ee]xception|thread '.{0,100}' panicked|note: run with )/,
  /^(?:\*\*\*? .{0,60}(?:Error|exception)|={2,20}\d{1,9}={2,20}ERROR|={3,} ERRORS?)/,
  /^(?:Program received signal|Segmentation fault)/,
);

const LOG = anyOf(
  /^\[?\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{1,2}:\d{2}:\d{2}/,
  /^\[?\d{1,2}:\d{2}:\d{2}[\].,]/,
  /^[A-Z][a-z]{2} {1,2}\d{1,2} \d{1,2}:\d{2}:\d{2} /,
  /^\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b[\]: [|]/,
  /^(?:npm|yarn|pnpm) (?:ERR!|error|WARN)/,
  /^[EWIDV]\/[\w.]{1,60}[(:]/,
);

/** `TypeError: …`, `django.core.FieldError: …`, `error[E0382]: …`, `** (ArgumentError) …`. */
const ERROR_NAME =
  '(?:[A-Z]\\w{0,80}(?:Error|Exception|Warning|Fault|Failure|Interrupt|Panic)|Error|Exception|DoesNotExist|Failed)';
const ERROR = anyOf(
  new RegExp(
    `^(?:Uncaught |Unhandled |Caused by: |fatal |\\[)?\\(?(?:[\\w$]{1,60}[.:]{1,2}){0,8}${ERROR_NAME}\\)?` +
      '(?: \\[\\w{1,60}\\])?(?:: ?\\S|$| \\()',
  ),
  new RegExp(`^\\*\\* \\([\\w.]{0,100}${ERROR_NAME}\\) \\S`),
  /^(?:error|warning|fatal|panic|ERROR|FATAL|Fatal error|\w{1,40} error)(?:\[\w{1,20}\])?: {1,2}\S/,
  /^(?:PHP (?:Fatal error|Warning)|Uncaught [\w\\]{1,80}): {1,2}\S/,
  /^(?:npm ERR!|E {3,6}\S)/,
);

const MAX_LINE = 1_000;

/** A line that only a stack trace has, besides its frames. */
export function isTraceHeader(text: string): boolean {
  return text.length <= MAX_LINE && HEADER.test(text);
}

/** A line that a program logged. */
export function isLogLine(text: string): boolean {
  return text.length <= MAX_LINE && LOG.test(text);
}

/** A line that is the message of an error. */
export function isErrorLine(text: string): boolean {
  return text.length <= MAX_LINE && ERROR.test(text);
}
