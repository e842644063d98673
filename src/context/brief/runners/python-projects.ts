import { both, inFolder, shell, type TestLookup } from './test-lookup.ts';

/** Files that mark the root of a project. */
const PROJECT = ['pyproject.toml', 'pytest.ini', 'tox.ini', 'setup.cfg', 'setup.py', 'requirements.txt'];
const PYTEST_FILES = ['pytest.ini', '.pytest.ini', 'pytest.toml', 'conftest.py'];
/** Manifests that name pytest when a project uses it. */
const MANIFESTS = [...PROJECT, 'Pipfile', 'noxfile.py', 'requirements-dev.txt', 'requirements/test.txt'];
/** Lock files of the tools that start a program inside the environment of a project. */
const LAUNCHERS: readonly (readonly [lock: string, prefix: string])[] = [
  ['uv.lock', 'uv run '],
  ['poetry.lock', 'poetry run '],
  ['pdm.lock', 'pdm run '],
  ['Pipfile.lock', 'pipenv run '],
];
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** The runner of a project that has its own `runtests.py`, pytest, `manage.py test`, or unittest. */
export function checkWithPython(test: TestLookup): string | null {
  const names = caseNames(test);
  const own = test.nearest('runtests.py');
  if (own !== undefined) {
    const program = own === '' ? 'python runtests.py ' : shell`python ${own}/runtests.py `;
    return both(program, dottedName(test, own, names));
  }
  const project = test.nearest(...PROJECT, 'manage.py') ?? '';
  const prefix = launcherFor(test, project);
  if (usesPytest(test, project)) return inFolder(project, both(prefix, pytest(test, project, names)));
  const managed = test.nearest('manage.py');
  if (managed !== undefined)
    return inFolder(managed, both(`${prefix}python manage.py test `, dottedName(test, managed, names)));
  if (!/^[ \t]*(?:import|from) unittest\b/m.test(test.source)) return null;
  return inFolder(project, both(`${prefix}python -m unittest `, dottedName(test, project, names)));
}

function pytest(test: TestLookup, project: string, names: readonly string[]): string | null {
  const path = test.from(project);
  // without the text of the file it is not known which class the case is in
  const byName = names.length === 0 && isIdentifier(test.name) && test.source === '';
  return byName ? shell`pytest ${path} -k ${test.name}` : shell`pytest ${[path, ...names].join('::')}`;
}

/** `package.module.Class.test`; null when the path is not one of modules. */
function dottedName(test: TestLookup, folder: string, names: readonly string[]): string | null {
  const parts = test.from(folder).slice(0, -'.py'.length).split('/');
  return parts.every(isIdentifier) ? [...parts, ...names].join('.') : null;
}

/** The classes around a case and its own name, outermost first; empty when they are not known for sure. */
function caseNames({ name, container, source }: TestLookup): string[] {
  // a parameter in brackets is not part of the function
  const plain = name?.split('[')[0] ?? null;
  const around = container?.split(/::|\./) ?? [];
  if (!around.every(isIdentifier)) return [];
  if (!isIdentifier(plain)) return around;
  return around.length > 0 ? [...around, plain] : namesInText(source.split('\n'), plain);
}

function namesInText(lines: readonly string[], name: string): string[] {
  const definition = new RegExp(`^\\s*(?:async )?(?:def|class) ${name}\\b`);
  const at = lines.findIndex((line) => definition.test(line));
  if (at < 0) return [];
  const names = [name];
  let indent = indentOf(lines[at]!);
  for (let index = at - 1; index >= 0 && indent > 0; index--) {
    const line = lines[index]!;
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    const around = /^\s*class (\w+)/.exec(line)?.[1];
    if (around) names.unshift(around);
  }
  return names;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isIdentifier(name: string | null): name is string {
  return name !== null && IDENTIFIER.test(name);
}

function usesPytest(test: TestLookup, project: string): boolean {
  const inside = test.folders.slice(0, test.folders.indexOf(project) + 1);
  return (
    /^[ \t]*(?:import|from) pytest\b/m.test(test.source) ||
    inside.some((folder) => test.has(folder, ...PYTEST_FILES)) ||
    ['', project].some((folder) => MANIFESTS.some((file) => /\bpytest\b/.test(test.text(folder, file))))
  );
}

function launcherFor(test: TestLookup, project: string): string {
  for (const folder of [project, ...test.above(project)])
    for (const [lock, prefix] of LAUNCHERS) if (test.has(folder, lock)) return prefix;
  return '';
}
