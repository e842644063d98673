import { basename } from 'node:path/posix';
import { fromFolder, inFolder, shell, type TestLookup } from './test-lookup.ts';

const GRADLE_FILES = ['build.gradle', 'build.gradle.kts'];
const GRADLE_SETTINGS = ['settings.gradle', 'settings.gradle.kts'];

/** The build tool of the nearest folder that has its files. */
export function checkWithBuildTool(test: TestLookup): string | null {
  if (/\.c(?:c|pp|xx)?$/.test(test.path)) return checkWithTarget(test);
  // classes are named after their files, and a name that is not an identifier would be read as a pattern
  if (!/^[A-Za-z_]\w*$/.test(test.stem)) return null;
  if (/\.[cf]s$/.test(test.path)) return checkWithDotnet(test);
  for (const folder of test.folders) {
    if (test.has(folder, 'build.sbt')) return checkWithSbt(test, folder);
    if (test.has(folder, ...GRADLE_FILES)) return checkWithGradle(test, folder);
    if (test.has(folder, 'pom.xml')) return checkWithMaven(test, folder);
    if (test.has(folder, 'Package.swift'))
      return inFolder(folder, `swift test --filter ${classAndCase(test, '/')}`);
  }
  return null;
}

/** `Class#method`, or the class alone: a nested class has a name that is not plain. */
function classAndCase({ stem, name, container }: TestLookup, mark: string): string {
  const method = container === null || container === stem ? (name?.replace(/\(\)$/, '') ?? null) : null;
  return shell`${method && stem + mark + method}` ?? stem;
}

function checkWithMaven(test: TestLookup, module: string): string | null {
  let root = module;
  for (const folder of test.above(module))
    if (test.text(folder, 'pom.xml').includes(`<module>${fromFolder(folder, root)}</module>`)) root = folder;
  const start = test.has(root, 'mvnw') || !test.has('', 'mvnw') ? root : '';
  const file = start === root ? '' : shell` -f ${root}/pom.xml`;
  // modules that it depends on are built too: installed ones would be out of date
  const chosen = module === root ? '' : shell` -pl ${fromFolder(root, module)} -am`;
  if (file === null || chosen === null) return null;
  const others = chosen === '' ? '' : ' -Dsurefire.failIfNoSpecifiedTests=false';
  const program = test.has(start, 'mvnw') ? './mvnw' : 'mvn';
  return inFolder(start, `${program}${file}${chosen} -Dtest=${classAndCase(test, '#')}${others} test`);
}

function checkWithGradle(test: TestLookup, module: string): string | null {
  const text = GRADLE_FILES.map((file) => test.text(module, file)).join('\n');
  const set = /^src\/(\w{1,60})\//.exec(test.from(module))?.[1] ?? 'test';
  if (set === 'androidTest') return null;
  const isAndroid = set === 'test' && /\bcom\.android\.(?:application|library)\b/.test(text);
  const task = isAndroid ? 'testDebugUnitTest' : /test$/i.test(set) ? set : 'test';
  const root = [module, ...test.above(module)].find((one) => test.has(one, ...GRADLE_SETTINGS)) ?? module;
  const target = module === root ? task : gradleTask(test, root, fromFolder(root, module), task);
  const program = test.has(root, 'gradlew') ? './gradlew' : 'gradle';
  return target && inFolder(root, `${program} ${target} --tests ${classAndCase(test, '.')}`);
}

/** `:a:b:test` where the settings list the project by that path, else the folder and the task. */
function gradleTask(test: TestLookup, root: string, folder: string, task: string): string | null {
  const path = folder.replaceAll('/', ':');
  const settings = GRADLE_SETTINGS.map((file) => test.text(root, file)).join('\n');
  const spellings = [`"${path}"`, `'${path}'`, `":${path}"`, `':${path}'`];
  const isListed = spellings.some((one) => settings.includes(one));
  return isListed ? shell`:${path}:${task}` : shell`-p ${folder} ${task}`;
}

function checkWithSbt(test: TestLookup, folder: string): string | null {
  const top = test.from(folder).split('/src/')[0]!;
  const projects = /^lazy val (\w{1,60})\b[^\n]*file\("([^"\n]*)"\)/gm;
  const listed = Array.from(test.text(folder, 'build.sbt').matchAll(projects));
  const project = listed.find(([, , path]) => path === top)?.[1];
  return inFolder(folder, `sbt "${project ? `${project}/` : ''}testOnly *${test.stem}"`);
}

/** The project file has the name of its folder, by convention: folders cannot be listed. */
function checkWithDotnet(test: TestLookup): string | null {
  const kind = `${test.path.slice(test.path.lastIndexOf('.'))}proj`;
  const folder = test.folders.find((one) => one !== '' && test.has(one, basename(one) + kind));
  if (folder === undefined) return null;
  const start = shell`dotnet test ${folder} --filter `;
  return start && `${start}"FullyQualifiedName~${classAndCase(test, '.').replaceAll('"', '')}"`;
}

/** C and C++ have no usual runner. Only a target with the name of the file is certain to be the test. */
function checkWithTarget(test: TestLookup): string | null {
  const { stem } = test;
  if (!/^\w[\w-]*$/.test(stem)) return null;
  const suite = test.container ?? /^TEST(?:_F|_P)?\((\w{1,80}),/m.exec(test.source)?.[1] ?? '';
  const only = `${test.container}.${test.name}`;
  const isCase = /^\w+\.\w+$/.test(only) && test.source.includes(`(${test.container}, ${test.name})`);
  for (const folder of test.folders) {
    const lists = test.text(folder, 'CMakeLists.txt');
    if (new RegExp(`\\badd_test\\(\\s{0,9}(?:NAME\\s{1,9})?${stem}[\\s)]`, 'i').test(lists))
      return `ctest --test-dir build -R '^${stem}$'`;
    if (new RegExp(`_discover_tests\\(\\s{0,9}${stem}[\\s)]`, 'i').test(lists) && /^\w+$/.test(suite))
      return `ctest --test-dir build -R '^${suite}[.]'`;
    if (new RegExp(`^${stem}[ \\t]*:(?!=)`, 'm').test(test.text(folder, 'Makefile')))
      return inFolder(folder, `make ${stem} && ./${stem}${isCase ? ` --gtest_filter=${only}` : ''}`);
  }
  return null;
}
