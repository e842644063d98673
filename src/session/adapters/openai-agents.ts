import { inject } from '../inject.ts';
import { type AdapterOptions, createShorten, type Shorten, shortenParts } from './adapter-options.ts';

interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly output?: unknown;
}

interface ModelData<Item> {
  readonly input: Item[];
  readonly instructions?: string;
}

/** What `callModelInputFilter` of a run or a runner takes. */
export type ContextPackFilter = <Item>(call: {
  readonly modelData: ModelData<Item>;
}) => Promise<ModelData<Item>>;

/**
 * A filter for the OpenAI Agents SDK: `run(agent, input, { callModelInputFilter: contextPackFilter({ pack }) })`. With
 * a session, what the filter gives is what the session keeps: the pack of the call before is taken out of it here.
 */
export function contextPackFilter(options: AdapterOptions): ContextPackFilter {
  const shorten = createShorten(options);
  return async <Item>({ modelData }: { readonly modelData: ModelData<Item> }) => {
    const items = await Promise.all(
      (modelData.input as readonly InputItem[]).map((item) => shortenResult(item, shorten)),
    );
    const messages = items.map((item) => ({ role: item.role ?? '', content: item.content, item }));
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

async function shortenResult(item: InputItem, shorten: Shorten): Promise<InputItem> {
  if (item.type !== 'function_call_result') return item;
  const { output, name = 'tool' } = item;
  if (typeof output === 'string') return { ...item, output: await shorten(name, output) };
  if (Array.isArray(output)) return { ...item, output: await shortenParts(output, name, shorten) };
  return { ...item, output: (await shortenParts([output], name, shorten))[0] };
}
