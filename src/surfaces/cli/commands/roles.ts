/** `loadout roles`: lists and shows roles, checks role files, and creates a role that extends another. */

import { resolve } from 'node:path';
import type { RoleCheck, RoleLoader } from '../../../context/roles/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { type CliCommand, type CommandCall, unknownAction } from '../command.ts';
import { alreadyThere, writeNewFile } from '../named-files.ts';
import { openRoles } from '../read-task.ts';
import { align, printable } from '../views/output.ts';

const ACTIONS = ['list', 'show', 'check', 'new'] as const;
type Action = (typeof ACTIONS)[number];

export const roles: CliCommand = {
  name: 'roles',
  summary:
    'List and show roles, check their files, or create one. The exit code is 1 if a checked file is not valid.',
  arguments: [
    { syntax: '<ACTION>', help: `One of ${ACTIONS.join(', ')}.`, values: ACTIONS },
    {
      syntax: '[NAME]',
      help: 'show, new: the name of a role; check: a file. (default: all roles)',
      values: 'roles-or-files',
    },
  ],
  settings: ['maxTokenBudget'],
  flags: [
    { syntax: '--resolved', help: 'show: include everything that the role inherits.' },
    { syntax: '--extends <ROLE>', help: 'new: the role to extend.', values: 'roles' },
  ],
  examples: [
    { line: 'loadout roles list', does: 'every role, where it comes from and what it extends' },
    { line: 'loadout roles show tester --resolved', does: 'a role with all it inherits' },
    { line: 'loadout roles check .loadout/roles/mine.yaml', does: 'check a role file' },
    {
      line: 'loadout roles new reviewer-api --extends reviewer',
      does: 'create .loadout/roles/reviewer-api.yaml',
    },
  ],
  run: async (call) => {
    const [action, name] = call.arguments;
    const { settings } = await call.settings();
    const loader = await openRoles(call, settings);
    // Problems with role folders concern every action.
    call.output.diagnostics(loader.diagnostics());
    switch (action as Action) {
      case 'list':
        return list(call, loader);
      case 'show':
        return show(call, loader, needName(name, 'show'));
      case 'check':
        return check(call, loader, name);
      case 'new':
        return create(call, loader, needName(name, 'new'));
    }
    throw unknownAction(call, ACTIONS);
  },
};

/** The second argument, for the actions that need one. */
function needName(name: string | undefined, action: string): string {
  if (name) return name;
  throw new LoadoutError('missing-name', `"loadout roles ${action}" needs the name of a role`, {
    hint: `such as: loadout roles ${action} reviewer`,
  });
}

/** Checks every role that can be found. */
async function checkAll(loader: RoleLoader): Promise<RoleCheck[]> {
  const checks: RoleCheck[] = [];
  for (const name of loader.names()) checks.push(await loader.check(name));
  return checks;
}

/** One row for each role. A broken role is listed, so that its name is not taken for unknown. */
async function list(call: CommandCall, loader: RoleLoader): Promise<number> {
  const checks = await checkAll(loader);
  if (call.global.json) {
    const items = checks.map(({ name, place, file, role, findings }) => ({
      name,
      description: role?.description ?? null,
      extends: role?.extends ?? null,
      base_role: role?.baseRole ?? null,
      cli: role?.cli ?? null,
      place,
      file,
      valid: role !== null,
      findings,
    }));
    call.output.json({ roles: items, diagnostics: loader.diagnostics() });
    return 0;
  }
  const rows = checks.map(({ name, place, role }) => [
    printable(name),
    place,
    role ? (role.extends ? `extends ${role.extends}` : '-') : 'broken',
    printable(role?.description ?? 'see: loadout roles check'),
  ]);
  for (const line of align(rows)) call.output.line(line);
  return 0;
}

/** The file of a role as it is, or with `--resolved` the role with everything it inherits. */
async function show(call: CommandCall, loader: RoleLoader, name: string): Promise<number> {
  const { renderRoleYaml, roleAsData } = await import('../../../context/roles/role-as-data.ts');
  if (call.flags.resolved !== true) {
    const { place, file, content } = loader.source(name);
    if ('unreadable' in content)
      throw new LoadoutError('unreadable', `${file} cannot be read: ${content.unreadable}`, {
        subject: file,
      });
    if (call.global.json) call.output.json({ name, place, file, text: content.text });
    else call.output.line(content.text.trimEnd());
    return 0;
  }
  const { role, diagnostics } = await loader.load(name);
  call.output.diagnostics(diagnostics);
  const data = roleAsData(role);
  const { chain, isTrusted, withheld } = role;
  if (call.global.json) call.output.json({ role: data, chain, trusted: isTrusted, withheld, diagnostics });
  else {
    // The role itself first, then what it extends.
    const from = chain.map((source) => `${source.name} (${source.file})`).join(' -> ');
    call.output.line(call.output.colors.dim(printable(`# ${from}`)));
    call.output.line((await renderRoleYaml(data)).trimEnd());
  }
  return 0;
}

/** Prints errors and warnings with their lines. The exit code is 1 if a file is not valid. */
async function check(call: CommandCall, loader: RoleLoader, file: string | undefined): Promise<number> {
  const checks =
    file === undefined ? await checkAll(loader) : [await loader.checkFile(resolve(call.io.cwd, file))];
  const isValid = checks.every(({ role }) => role !== null);
  if (call.global.json) {
    const files = checks.map(({ name, file: path, role, findings, diagnostics }) => {
      return { name, file: path, valid: role !== null, findings, diagnostics };
    });
    call.output.json({ valid: isValid, files });
    return isValid ? 0 : 1;
  }
  const { green, yellow, red } = call.output.colors;
  for (const { file: path, role, findings, diagnostics } of checks) {
    for (const { severity, message } of findings)
      call.output.line(`${severity === 'error' ? red('error') : yellow('warning')}: ${printable(message)}`);
    call.output.diagnostics(
      diagnostics.filter(({ message }) => !findings.some((one) => one.message === message)),
    );
    if (role) call.output.line(`${green('valid')}: ${printable(path)}`);
  }
  return isValid ? 0 : 1;
}

/** Writes a new role file into the repository. It never replaces one. */
async function create(call: CommandCall, loader: RoleLoader, name: string): Promise<number> {
  const { newRoleText } = await import('../../../context/roles/role-as-data.ts');
  const { roleName } = await import('../../../context/roles/role-fields.ts');
  const { expectedOf, isAllowed } = await import('../../../schema/schema.ts');
  const { REPOSITORY_ROLES } = await import('../../../context/roles/role-places.ts');
  const parent = call.flags.extends;
  if (typeof parent !== 'string')
    throw new LoadoutError('missing-flag', '"loadout roles new" needs --extends ROLE', {
      hint: `such as: loadout roles new ${name} --extends reviewer`,
    });
  if (!isAllowed(roleName, name)) {
    const message = `${JSON.stringify(name)} is not a name; allowed is ${expectedOf(roleName)}`;
    throw new LoadoutError('bad-name', message, { subject: name });
  }
  // Load the parent first: a new role must not extend a broken one.
  const { role } = await loader.load(parent);
  const path = `${REPOSITORY_ROLES}/${name}.yaml`;
  const root = call.repository();
  for (const taken of [path, `${REPOSITORY_ROLES}/${name}.yml`])
    if (root.stat(taken)) throw alreadyThere(taken);
  writeNewFile(root, path, newRoleText(name, role));
  if (call.global.json) call.output.json({ name, file: path, extends: role.name });
  else call.output.line(`wrote ${path}`);
  return 0;
}
