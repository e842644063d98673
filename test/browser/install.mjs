// Installs what the browser tests need: Debian's Chromium, unless there is one already.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const given = process.env.LOADOUT_TEST_CHROMIUM;
const usual = '/usr/bin/chromium';

function fail(message) {
  console.error(
    `${message}\nSet LOADOUT_TEST_CHROMIUM to the path of a Chromium or Chrome that is installed.`,
  );
  process.exit(2);
}

if (given !== undefined) {
  if (!existsSync(given)) fail(`LOADOUT_TEST_CHROMIUM names ${given}, which does not exist.`);
} else if (!existsSync(usual)) {
  if (process.getuid?.() !== 0) fail(`There is no ${usual}, and only root can install it.`);
  if (spawnSync('apt-get', ['--version']).error) fail(`There is no ${usual}, and no apt-get to install it.`);
  for (const words of [
    ['update'],
    ['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'],
  ]) {
    const { status } = spawnSync('apt-get', ['-q', ...words], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) fail(`apt-get ${words[0]} failed.`);
  }
}
