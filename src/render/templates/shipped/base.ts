/** What every prompt ends with. The block `content` belongs to the templates that extend this one. */
export const BASE = `\
{% block content %}
{# Override in child templates #}
{% endblock %}

---

{% block output_requirements %}
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
{% endblock %}
`;
