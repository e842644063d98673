/** What the answer must look like. The schema is made from the definition that also checks the answer. */
export const OUTPUT_SCHEMA = `\
{% if output_schema is defined and output_schema %}
The JSON must be valid under this JSON Schema. Give every required field, and no field that it does not allow:

\`\`\`json
{{ output_schema }}
\`\`\`
{% else %}
The JSON must be one object. It has a field "status", a text that says how the work ended; add the fields
that your instructions ask for.
{% endif %}
`;
