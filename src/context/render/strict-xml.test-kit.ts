export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** All character data directly inside. */
  readonly text: string;
}

const NAME = /[A-Za-z_][\w.-]*/y;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Everything outside of what XML 1.0 allows as a character. */
const FORBIDDEN = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** A reader of the part of XML 1.0 that we write; anything that is not well-formed is an error. */
export function parseStrictXml(text: string): XmlElement {
  let at = 0;
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
  };
  const take = (literal: string) => {
    if (!text.startsWith(literal, at)) fail(`expected ${literal}`);
    at += literal.length;
  };
  const name = (): string => {
    NAME.lastIndex = at;
    const found = NAME.exec(text)?.[0] ?? fail('expected a name');
    at += found.length;
    return found;
  };
  const characters = (until: RegExp): string => {
    until.lastIndex = at;
    const end = until.exec(text)?.index ?? fail('unexpected end');
    const raw = text.slice(at, end);
    if (raw.includes(']]>')) fail('"]]>" in character data');
    at = end;
    return raw.replace(/&(\w+;|#)?/g, (_, entity: string | undefined) =>
      entity === undefined
        ? fail('bare &')
        : (ENTITIES[entity.slice(0, -1)] ?? fail(`unknown entity ${entity}`)),
    );
  };
  const element = (): XmlElement => {
    take('<');
    const tag = name();
    const attributes: Record<string, string> = {};
    const children: XmlElement[] = [];
    let content = '';
    while (text.startsWith(' ', at)) {
      take(' ');
      const key = name();
      if (key in attributes) fail(`attribute ${key} twice`);
      take('="');
      attributes[key] = characters(/["<]/g);
      take('"');
    }
    if (text.startsWith('/>', at)) {
      take('/>');
      return { name: tag, attributes, children, text: content };
    }
    take('>');
    for (;;) {
      if (text.startsWith('</', at)) break;
      if (text.startsWith('<![CDATA[', at)) {
        at += 9;
        const end = text.indexOf(']]>', at);
        if (end === -1) fail('open CDATA');
        content += text.slice(at, end);
        at = end + 3;
      } else if (text.startsWith('<', at)) children.push(element());
      else content += characters(/</g);
    }
    take(`</${tag}>`);
    return { name: tag, attributes, children, text: content };
  };
  if (FORBIDDEN.test(text)) fail('a character that XML does not allow');
  const root = element();
  if (text.slice(at).trim() !== '') fail('text behind the root');
  return root;
}
