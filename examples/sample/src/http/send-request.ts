export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/** One request, one answer; everything above is built on this. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResponse>;

export const sendWithFetch: SendRequest = async ({ url, ...request }) => {
  const response = await fetch(url, request);
  return { status: response.status, body: await response.text() };
};
