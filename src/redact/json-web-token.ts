const TOKEN = /^(?<header>eyJ[A-Za-z0-9_-]{4,})\.(?<payload>[A-Za-z0-9_-]*)\.[A-Za-z0-9_-]*$/;

/** The tokens that manuals of the format print. */
const MANUAL_CLAIM =
  /"(?:sub|name)" ?: ?"(?:1234567890|John Doe|Jane Doe)"|example\.(?:com|org)|"iss" ?: ?"joe"/;
/** Claims that let someone in; a token without any only shows the format. */
const LIVE_CLAIM = /"(?:exp|iss|sub|aud|jti|sid|uid|user\w*|email|client\w*|roles?|scopes?|session\w*)" ?:/i;

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64url').toString('latin1');
}

/** True for a JSON web token that somebody could use; null when the text is no such token. */
export function isLiveToken(text: string): boolean | null {
  const { header, payload } = TOKEN.exec(text)?.groups ?? {};
  if (header === undefined || payload === undefined) return null;
  if (!/"(?:alg|enc|typ)"/.test(decoded(header))) return null;
  const claims = decoded(payload);
  return LIVE_CLAIM.test(claims) && !MANUAL_CLAIM.test(claims);
}
