import type { TokenRefresher } from '../auth/token-refresher.ts';
import type { HttpRequest, HttpResponse, SendRequest } from './send-request.ts';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(path: string, status: number) {
    super(`${path} answered ${status}`);
    this.status = status;
  }
}

/** The partner's API with our token on every request. */
export class ApiClient {
  readonly #send: SendRequest;
  readonly #tokens: TokenRefresher;
  readonly #baseUrl: string;

  constructor(send: SendRequest, tokens: TokenRefresher, baseUrl: string) {
    this.#send = send;
    this.#tokens = tokens;
    this.#baseUrl = baseUrl;
  }

  async getJson<Answer>(path: string): Promise<Answer> {
    let response = await this.#sendWith(await this.#tokens.accessToken(), path);
    if (response.status === 401) response = await this.#sendWith(await this.#tokens.refresh(), path);
    if (response.status !== 200) throw new ApiError(path, response.status);
    return JSON.parse(response.body) as Answer;
  }

  #sendWith(token: string, path: string): Promise<HttpResponse> {
    const request: HttpRequest = {
      method: 'GET',
      url: this.#baseUrl + path,
      headers: { authorization: `Bearer ${token}` },
    };
    return this.#send(request);
  }
}
