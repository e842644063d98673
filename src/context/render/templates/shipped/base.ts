/** How to answer, for every prompt: with a template or without. */
export const OUTPUT_REQUIREMENTS = `\
## Output Requirements

You MUST end your response with a fenced JSON code block containing your structured output.

**CRITICAL:** Use exactly this format with triple backticks and "json" label:

\`\`\`json
{ "status": "...", ... }
\`\`\`

The JSON MUST be in a fenced code block (triple backticks with json label), closed, not indented, and not
inside another fence. Bare JSON without fences will NOT be accepted.
When there are several such blocks, the last one counts.

{% include "_output_schema.j2" %}
`;

/** A whole prompt. Templates that extend it have a block `content` of their own, with more to say about the task. */
export const BASE = `\
{% block content %}
{{ role.system_prompt|trim }}

## Context

{{ context }}

## Task

{{ task }}
{% endblock %}

---

{% block output_requirements %}
${OUTPUT_REQUIREMENTS}{% endblock %}
`;
