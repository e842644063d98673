export interface Settings {
  readonly baseUrl: string;
  readonly refreshToken: string;
  readonly pages: number;
}

/** Read once at the start; a missing value stops the program before it talks to anybody. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const { BILLING_URL, BILLING_REFRESH_TOKEN, BILLING_PAGES = '1' } = env;
  if (!BILLING_URL || !BILLING_REFRESH_TOKEN) throw new Error('set BILLING_URL and BILLING_REFRESH_TOKEN');
  return { baseUrl: BILLING_URL, refreshToken: BILLING_REFRESH_TOKEN, pages: Number(BILLING_PAGES) };
}
