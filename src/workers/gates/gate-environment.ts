import type { Environment } from '../../platform/environment.ts';

/** What tools need to be found and to find their own files. Keys and tokens are not among it. */
const PASSED_ON = [
  ...['PATH', 'Path', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
  ...[
    'USERPROFILE',
    'HOMEDRIVE',
    'HOMEPATH',
    'APPDATA',
    'LOCALAPPDATA',
    'SystemRoot',
    'SYSTEMROOT',
    'ComSpec',
  ],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  ...['JAVA_HOME', 'GOPATH', 'GOROOT', 'GOCACHE', 'GOMODCACHE', 'CARGO_HOME', 'RUSTUP_HOME', 'ANDROID_HOME'],
  ...[
    'VIRTUAL_ENV',
    'CONDA_PREFIX',
    'PYENV_ROOT',
    'NVM_DIR',
    'VOLTA_HOME',
    'FNM_DIR',
    'PNPM_HOME',
    'BUN_INSTALL',
  ],
  ...['DOTNET_ROOT', 'GEM_HOME', 'RBENV_ROOT', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SSL_CERT_FILE'],
  ...['NODE_EXTRA_CA_CERTS', 'LOADOUT_RUN'],
];

export function gateEnvironment(
  env: Environment,
  asked: readonly string[],
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of [...PASSED_ON, ...asked]) if (env[name] !== undefined) kept[name] = env[name];
  for (const [name, value] of Object.entries(env))
    if (name.startsWith('LC_') && value !== undefined) kept[name] = value;
  return { ...kept, CI: '1', TERM: 'dumb', NO_COLOR: '1', ...added };
}
