import type { HttpResponse, SendRequest } from './send-request.ts';

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tries again after answers that may pass by themselves; a 4xx is the caller's own affair. */
export function withRetry(send: SendRequest, wait: (ms: number) => Promise<void> = pause): SendRequest {
  return async (request) => {
    let response: HttpResponse = await send(request);
    for (let attempt = 1; attempt < ATTEMPTS && response.status >= 500; attempt++) {
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      response = await send(request);
    }
    return response;
  };
}
