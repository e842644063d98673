export const IMPLEMENT = `\
{% extends "_base.j2" %}

{% block content %}
{{ role.system_prompt|trim }}

## Context

{{ context }}

## Task

{{ task }}

Do this task in the working tree. Report every file that you created or changed and every test that you
wrote, with paths relative to the root of the repository. When you could not finish, say what stands in the way.
{% endblock %}
`;
