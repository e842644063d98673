/** The next action of the model, independent of any service. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string; readonly cutOff?: boolean; readonly afterMs?: number }
  | { readonly kind: 'tools'; readonly text?: string; readonly calls: readonly ToolCall[] }
  /** The answer that a schema asked for, in the form of the service. */
  | { readonly kind: 'structured'; readonly value: unknown }
  | { readonly kind: 'error'; readonly status: number; readonly message: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Starts to answer and drops the connection. */
  | { readonly kind: 'broken' };

export interface ToolCall {
  /** The first of these that the request offers is called. */
  readonly names: readonly (string | RegExp)[];
  /** Gets the name of the tool that was chosen. */
  readonly input: (name: string, request: ModelRequest) => Readonly<Record<string, unknown>>;
}

export interface ChosenCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type Protocol = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini';

/** One request that reached the model, reduced to the fields that all services have. */
export interface ModelRequest {
  /** 1 for the first that this stub got. */
  readonly number: number;
  readonly protocol: Protocol;
  readonly path: string;
  readonly model: string;
  readonly system: string;
  /** In order; a result of a tool has the role `tool`. */
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly toolNames: readonly string[];
  /** Asks for a structured answer in the form of the service. */
  readonly wantsStructure: boolean;
  /** A request of the CLI beside the work: titles, routing. */
  readonly isAside: boolean;
  /** Without the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export function lastUserText(request: ModelRequest): string {
  return request.messages.findLast((message) => message.role === 'user')?.text ?? '';
}

/** Everything that the user's side ever said, injected context included. */
export function allText(request: ModelRequest): string {
  return [request.system, ...request.messages.map((message) => message.text)].join('\n');
}

/** A tool ran since the model spoke last. Text may follow its result: hooks and reminders add some. */
export function endsWithToolResult(request: ModelRequest): boolean {
  const spokeLast = request.messages.findLastIndex((message) => message.role === 'assistant');
  return request.messages.slice(spokeLast + 1).some((message) => message.role === 'tool');
}

export function chooseCalls(request: ModelRequest, calls: readonly ToolCall[]): readonly ChosenCall[] {
  return calls.map((call, index) => {
    const name = call.names
      .map((wanted) =>
        request.toolNames.find((offered) =>
          typeof wanted === 'string' ? offered === wanted : wanted.test(offered),
        ),
      )
      .find((found) => found !== undefined);
    const chosen = name ?? String(call.names[0]);
    return { id: `call_${request.number}_${index}`, name: chosen, input: call.input(chosen, request) };
  });
}
