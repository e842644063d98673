export const PLANNING = `\
{% extends "_base.j2" %}

{% block content %}
{{ role.system_prompt|trim }}

## Context

{{ context }}

## Task

{{ task }}

Plan this task. Do not change any file. Put the phases in the order in which they can be done, each with
what it touches and how one can tell that it is done.
{% endblock %}
`;
