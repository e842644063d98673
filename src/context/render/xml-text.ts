import { inlineText } from '../../redact/inline-text.ts';
import { markHidden } from '../../redact/mark-hidden.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** Text between tags. */
export function xmlText(text: string): string {
  return escaped(markHidden(text).text);
}

/** ` name="value"` */
export function xmlAttribute(name: string, value: string | number): string {
  return ` ${name}="${escaped(inlineText(String(value)))}"`;
}

/** Text as it is, on lines of its own; nothing inside can end the section. */
export function xmlBlock(text: string): string {
  return `<![CDATA[\n${markHidden(text).text.replaceAll(']]>', ']]]]><![CDATA[>')}\n]]>`;
}
