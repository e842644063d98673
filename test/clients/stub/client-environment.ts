import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cleanPath } from '../../support/clean-environment.ts';

const BIN = join(import.meta.dirname, '../node_modules/.bin');

/** Takes over nothing from the environment of the tests: no key and no setting of this machine. */
export function clientEnvironment(url: string, home: string): Record<string, string> {
  writeIn(home, '.codex/config.toml', codexConfig(url));
  // With a base address of its own the CLI wants to be told how to sign in.
  writeIn(home, '.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}}}\n');
  const temporary = join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return {
    PATH: [BIN, cleanPath([dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'))].join(
      ':',
    ),
    HOME: home,
    // Gemini leaves its error reports there.
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    LOADOUT_CACHE_DIR: join(home, '.cache/loadout'),
    // nothing that outlives a test
    LOADOUT_WARM_SERVER: 'running',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'stub-key',
    CODEX_HOME: join(home, '.codex'),
    STUB_API_KEY: 'stub-key',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: 'stub-key',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: 'stub-key',
    OPENAI_MODEL: 'stub-model',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'stub-key',
    COPILOT_MODEL: 'gpt-4.1',
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '1000000',
    COPILOT_OFFLINE: 'true',
    OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(url)),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    // OpenCode fetches a package of types beside every folder of plugins, and waits for it.
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
  };
}

function codexConfig(url: string): string {
  return `model = "stub-model"
model_provider = "stub"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.stub]
name = "stub"
base_url = "${url}/v1"
env_key = "STUB_API_KEY"
wire_api = "responses"
`;
}

function opencodeConfig(url: string): unknown {
  const options = { baseURL: `${url}/v1`, apiKey: 'stub-key' };
  const stub = { npm: '@ai-sdk/openai-compatible', options, models: { 'stub-model': {}, 'other-model': {} } };
  return { model: 'stub/stub-model', provider: { stub } };
}

function writeIn(home: string, name: string, content: string): void {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
