import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
}

export interface PrivateAuthority {
  /** File with its certificate, for clients that trust it. */
  readonly file: string;
  /** Signs a certificate for these names, such as `IP:127.0.0.1`. */
  certify(names: string, days?: number): Certificate;
}

/** A new authority that no client trusts yet. No certificate is kept anywhere. Needs `openssl`. */
export function privateAuthority(name: string): PrivateAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-authority-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (file: string) => join(folder, file);
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    ...[
      'req',
      '-x509',
      ...fresh,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    ],
    ...['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign'],
  );
  let made = 0;
  return {
    file: at('ca.pem'),
    certify: (names, days = 2) => {
      const own = `leaf-${made++}`;
      writeFileSync(at(`${own}.ext`), `subjectAltName=${names}\n`);
      openssl('req', ...fresh, '-keyout', `${own}.key`, '-out', `${own}.csr`, '-subj', `/CN=${own}`);
      openssl(
        ...['x509', '-req', '-in', `${own}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
        ...['-out', `${own}.pem`, '-days', String(days), '-extfile', `${own}.ext`],
      );
      return { key: readFileSync(at(`${own}.key`)), cert: readFileSync(at(`${own}.pem`)) };
    },
  };
}

export const hasOpenssl = (): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
