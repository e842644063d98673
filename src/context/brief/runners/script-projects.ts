import { both, inFolder, shell, type TestLookup } from './test-lookup.ts';

/** Languages whose runner takes the path of a file. */
export function checkWithScripts(test: TestLookup): string | null {
  if (test.path.endsWith('.rb')) return checkWithRuby(test);
  if (test.path.endsWith('.php')) return checkWithComposer(test);
  const folder = test.nearest(test.path.endsWith('.exs') ? 'mix.exs' : 'pubspec.yaml');
  if (folder === undefined) return null;
  if (test.path.endsWith('.exs')) return inFolder(folder, both('mix test ', atLine(test, folder)));
  const path = test.from(folder);
  const isFlutter = /^[ \t]*sdk: flutter\b/m.test(test.text(folder, 'pubspec.yaml'));
  const rest = shell`test ${path} --plain-name ${test.name}` ?? shell`test ${path}`;
  return inFolder(folder, both(isFlutter ? 'flutter ' : 'dart ', rest));
}

/** `path:line` when the line is known: it also finds a case whose title is not plain. */
function atLine(test: TestLookup, folder: string): string | null {
  return shell`${test.line && `${test.from(folder)}:${test.line}`}` ?? shell`${test.from(folder)}`;
}

function checkWithRuby(test: TestLookup): string | null {
  const folder = test.nearest('Gemfile', 'Rakefile', '.rspec');
  if (folder === undefined) return null;
  const path = test.from(folder);
  const bundled = test.has(folder, 'Gemfile') ? 'bundle exec ' : '';
  if (path.endsWith('_spec.rb')) {
    const byName = test.line === null ? shell`${path} -e ${test.name}` : null;
    return inFolder(folder, both(`${bundled}rspec `, byName ?? atLine(test, folder)));
  }
  if (!/(?:^|\/)(?:test_[^/]*|[^/]*_test)\.rb$/.test(path)) return null;
  if (test.has(folder, 'bin/rails')) return inFolder(folder, both('bin/rails test ', atLine(test, folder)));
  const name = /^test_\w+$/.test(test.name ?? '') ? ` -n ${test.name}` : '';
  return inFolder(folder, both(shell`${path}` && `${bundled}ruby -Ilib:test `, both(shell`${path}`, name)));
}

const PHPUNIT_FILES = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'];

function checkWithComposer(test: TestLookup): string | null {
  const folder = test.nearest('composer.json', ...PHPUNIT_FILES);
  const program = folder === undefined ? null : phpProgram(test, folder);
  if (folder === undefined || program === null) return null;
  const path = test.from(folder);
  return inFolder(folder, both(program, shell` --filter ${test.name} ${path}` ?? shell` ${path}`));
}

function phpProgram(test: TestLookup, folder: string): string | null {
  const manifest = test.text(folder, 'composer.json');
  if (manifest.includes('"pestphp/pest"') || test.has(folder, 'tests/Pest.php')) return 'vendor/bin/pest';
  if (test.has(folder, 'bin/phpunit')) return 'bin/phpunit';
  const isNamed = manifest.includes('"phpunit/phpunit"') || test.has(folder, ...PHPUNIT_FILES);
  return isNamed ? 'vendor/bin/phpunit' : null;
}
