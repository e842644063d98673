const UNTRUSTED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);

const OTHERS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  EPROTO: 'it does not speak TLS at this address',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS at this address',
};

/** What a failed TLS connection means, in words; null when it is about something else. */
export function certificateProblem(code: string): string | null {
  if (UNTRUSTED.has(code))
    return `its certificate is of an authority that is not trusted here; name the file of the right one as caFile (${code})`;
  const known = Object.hasOwn(OTHERS, code) ? OTHERS[code]! : null;
  return known && `${known} (${code})`;
}
