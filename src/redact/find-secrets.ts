import { AnchorSearch } from './anchor-search.ts';
import { NAMED_SECRETS } from './detectors/named-values.ts';
import { PRIVATE_KEYS } from './detectors/private-keys.ts';
import { PROVIDER_TOKENS } from './detectors/provider-tokens.ts';
import { WEB_CREDENTIALS } from './detectors/web-credentials.ts';
import { NAME_REACH, type SecretDetector } from './secret-detector.ts';

/** Most specific first: the first that accepts a place names it. */
export const SECRET_DETECTORS: readonly SecretDetector[] = [
  ...PRIVATE_KEYS,
  ...PROVIDER_TOKENS,
  ...WEB_CREDENTIALS,
  ...NAMED_SECRETS,
];

export interface SecretSpan {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

const ANCHORS = new AnchorSearch<SecretDetector>();
for (const detector of SECRET_DETECTORS) for (const anchor of detector.anchors) ANCHORS.add(anchor, detector);

function textBefore(text: string, at: number): string {
  const reach = text.slice(Math.max(0, at - NAME_REACH), at);
  return reach.slice(reach.lastIndexOf('\n') + 1);
}

function tryDetector(detector: SecretDetector, anchor: string, text: string, at: number): SecretSpan | null {
  const { kind, pattern, accept, begins } = detector;
  const from = begins === undefined ? at : at + anchor.length;
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  if (match === null) return null;
  const { secret, before = '' } = match.groups ?? {};
  const end = from + match[0].length;
  const start = secret === undefined ? from - before.length : end - secret.length;
  const value = text.slice(start, end);
  if (accept?.({ value, before: textBefore(text, at), anchor, match }) === false) return null;
  return { kind, start, end };
}

/** Where secrets stand in a text, in order and apart from each other. Linear in the length of the text. */
export function findSecrets(text: string, path: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let free = 0;
  ANCHORS.each(text, (at, { anchor, values }) => {
    for (const detector of values) {
      if (detector.paths !== undefined && !detector.paths.test(path)) continue;
      const span = tryDetector(detector, anchor, text, at);
      if (span === null || span.start < free) continue;
      spans.push(span);
      free = span.end;
      return span.end;
    }
    return 0;
  });
  return spans;
}
