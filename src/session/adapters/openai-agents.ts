// The adapter for the OpenAI Agents SDK: a filter for the input of model calls, and a wrapper for sessions. The
// package itself is not imported.

import { inject, isPack } from '../inject.ts';
import { type AdapterOptions, createShorten, type Shorten, shortenParts } from './adapter-options.ts';

/** An item of the input, as far as it is used here. */
interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly output?: unknown;
}

/** The input and the result of a filter. */
interface ModelData<Item> {
  readonly input: Item[];
  readonly instructions?: string;
}

/** The type of `callModelInputFilter` of a run or a runner. */
export type RecallBlockFilter = <Item>(call: {
  readonly modelData: ModelData<Item>;
}) => Promise<ModelData<Item>>;

/**
 * A filter for the OpenAI Agents SDK: `run(agent, input, { callModelInputFilter: recallBlockFilter({ pack }) })`. A
 * session keeps results as the tools gave them, whatever the filter says: `handleSession` makes it keep handles.
 */
export function recallBlockFilter(options: AdapterOptions): RecallBlockFilter {
  const shorten = createShorten(options);
  return async <Item>({ modelData }: { readonly modelData: ModelData<Item> }) => {
    const items = await Promise.all(
      (modelData.input as readonly InputItem[]).map((item) => shortenResult(item, shorten)),
    );
    const messages = items.map(asMessage);
    const { system, messages: injected } = inject(
      { system: modelData.instructions ?? '', messages },
      await options.pack(),
      {
        repository: options.repository ?? '',
        createMessage: (text) => {
          const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
          return { role: 'user', content: item.content, item };
        },
      },
    );
    const input = injected.map(({ item }) => item) as Item[];
    return system === '' ? { input } : { input, instructions: system };
  };
}

const asMessage = (item: InputItem) => ({ role: item.role ?? '', content: item.content, item });

async function shortenResult(item: InputItem, shorten: Shorten): Promise<InputItem> {
  if (item.type !== 'function_call_result') return item;
  const { output, name = 'tool' } = item;
  if (typeof output === 'string') return { ...item, output: await shorten(name, output) };
  if (Array.isArray(output)) return { ...item, output: await shortenParts(output, name, shorten) };
  return { ...item, output: (await shortenParts([output], name, shorten))[0] };
}

/** The part of an SDK session that is wrapped; the rest passes through. */
interface SessionLike<Item> {
  addItems(items: Item[]): Promise<void>;
}

/**
 * The same session, which keeps long results as handles: `run(agent, input, { session: handleSession(session, { store }) })`.
 * The store has a result before the session gets its handle.
 */
export function handleSession<Item, Session extends SessionLike<Item>>(
  session: Session & SessionLike<Item>,
  options: Pick<AdapterOptions, 'handleAboveChars'> & Required<Pick<AdapterOptions, 'store'>>,
): Session {
  const shorten = createShorten({ ...options, pack: () => '' });
  const addItems = async (items: Item[]) => {
    // the recall block of one call is of no use to the next
    const kept = (items as readonly InputItem[]).filter((item) => !isPack(asMessage(item)));
    const shortened = kept.map((item) => shortenResult(item, shorten));
    return session.addItems((await Promise.all(shortened)) as Item[]);
  };
  return new Proxy(session, {
    get(target, name) {
      if (name === 'addItems') return addItems;
      const value: unknown = Reflect.get(target, name, target);
      // private fields are those of the session itself
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
