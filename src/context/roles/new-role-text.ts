import type { Role } from './role.ts';

/** A role file to begin with: everything is inherited, and what can be said stands there as a comment. */
export function newRoleText(name: string, parent: Role): string {
  const description = JSON.stringify(`${parent.description} (${name})`);
  return `# What this file leaves out comes from ${parent.name}: loadout roles show ${name} --resolved
name: ${name}
extends: ${parent.name}
description: ${description}

# Comes after the system prompt of ${parent.name}. Say "system_prompt" to replace it instead.
system_prompt_additions: |
  Follow the conventions of this repository.

# Lists are added to what ${parent.name} has; single values replace it.
# context:
#   include: ["src/**"]
#   always_include: [CONTRIBUTING.md]
#   token_budget: 30000
# config:
#   timeout: 900
`;
}
