import { checkArguments, RECORD, required, TEXT } from '../../../schema/check-arguments.ts';
import { nearestName } from '../../../schema/nearest-name.ts';
import { Evaluator } from './evaluate.ts';
import { parseTemplate } from './parse-template.ts';
import { BASE, OUTPUT_REQUIREMENTS } from './shipped/base.ts';
import { IMPLEMENT } from './shipped/implement.ts';
import { OUTPUT_SCHEMA } from './shipped/output-schema.ts';
import { PLANNING } from './shipped/planning.ts';
import { REVIEW_STRICT } from './shipped/review-strict.ts';
import {
  isList,
  isObject,
  type TemplateObject,
  type TemplateValue,
  templateData,
  templateObject,
} from './template-data.ts';
import { TemplateError, type TemplatePlace } from './template-error.ts';
import { TEMPLATE_LIMITS, type TemplateLimits, TemplateMeter } from './template-limits.ts';
import type { ParsedTemplate, TemplateNode } from './template-nodes.ts';

const engine = createTemplateEngine(
  new Map([
    ['_base', BASE],
    ['_output_schema', OUTPUT_SCHEMA],
    ['planning', PLANNING],
    ['implement', IMPLEMENT],
    ['review_strict', REVIEW_STRICT],
  ]),
);

/**
 * A prompt from one of the shipped templates, with or without `.j2` behind the name. `_base` and those that extend it
 * use `role.system_prompt`, `task`, `context` and, where it is given, `output_schema`. Throws `TemplateError`.
 */
export function renderTemplate(name: string, data: object): string {
  checkArguments('renderTemplate', { name, data }, { name: required(TEXT), data: required(RECORD) });
  return engine.render(name, data);
}

const requirements = createTemplateEngine(
  new Map([
    ['output_requirements', OUTPUT_REQUIREMENTS],
    ['_output_schema', OUTPUT_SCHEMA],
  ]),
);

/** What `_base` says about the answer, for prompts without a template. */
export function renderOutputRequirements(outputSchema: string): string {
  return requirements.render('output_requirements', { output_schema: outputSchema }).trimEnd();
}

/** Templates that hold a task; the others are parts of these. */
export function listPromptTemplates(): readonly string[] {
  return engine.names.filter((name) => name !== '_output_schema');
}

/** The names that `renderTemplate` takes. */
export function listTemplates(): readonly string[] {
  return engine.names;
}

interface TemplateEngine {
  readonly names: readonly string[];
  /** Values are written as they are and never read as a template. */
  readonly render: (name: string, data: object) => string;
}

/** Renders the templates it is given and no others: there is nothing else that a name could lead to. */
export function createTemplateEngine(
  sources: ReadonlyMap<string, string>,
  limits: TemplateLimits = TEMPLATE_LIMITS,
): TemplateEngine {
  const names = [...sources.keys()].sort();
  const parsed = new Map<string, ParsedTemplate>();

  const find = (name: string, place: TemplatePlace | null): ParsedTemplate => {
    const key = name.replace(/\.j2$/, '');
    const known = parsed.get(key);
    if (known) return known;
    const source = sources.get(key);
    if (source === undefined) throw unknownTemplate(name, names, place);
    const template = parseTemplate(key, source);
    parsed.set(key, template);
    return template;
  };

  return {
    names,
    render: (name, data) => new TemplateRun(find, limits).render(find(name, null), templateData(data)),
  };
}

function unknownTemplate(name: string, names: readonly string[], place: TemplatePlace | null): TemplateError {
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
  const near = nearestName(name, names);
  return new TemplateError(
    'template-unknown',
    `Unknown template ${shown}. Allowed: ${names.join(', ')}`,
    place,
    near ? `did you mean ${near}?` : undefined,
  );
}

type FindTemplate = (name: string, place: TemplatePlace) => ParsedTemplate;
type Blocks = ReadonlyMap<string, readonly TemplateNode[]>;

/** What can be seen at one point: names, and the blocks of the template that is being shown. */
interface View {
  /** The innermost loop first, the data last. */
  readonly scopes: readonly TemplateObject[];
  readonly blocks: Blocks;
  /** The templates and blocks that led here. */
  readonly chain: readonly string[];
}

/** One rendering of one template. */
class TemplateRun {
  private readonly find: FindTemplate;
  private readonly limits: TemplateLimits;
  private readonly meter: TemplateMeter;
  private readonly pieces: string[] = [];
  private characters = 0;

  constructor(find: FindTemplate, limits: TemplateLimits) {
    this.find = find;
    this.limits = limits;
    this.meter = new TemplateMeter(limits);
  }

  render(template: ParsedTemplate, data: TemplateObject): string {
    this.template(template, { scopes: [data], blocks: new Map(), chain: [] });
    return this.pieces.join('');
  }

  /** Goes up to the root of the chain of `extends`; on the way the first block of a name wins. */
  private template(template: ParsedTemplate, view: View): void {
    const blocks = new Map<string, readonly TemplateNode[]>();
    let chain = view.chain;
    for (let current = template; ; ) {
      chain = [...chain, current.name];
      const place = current.parent?.place ?? { template: current.name, line: 1 };
      this.meter.spend(place);
      this.meter.checkDepth(place, chain);
      for (const [name, body] of current.blocks) if (!blocks.has(name)) blocks.set(name, body);
      if (!current.parent) {
        this.nodes(current.body, { scopes: view.scopes, blocks, chain });
        return;
      }
      current = this.find(current.parent.name, current.parent.place);
    }
  }

  private nodes(nodes: readonly TemplateNode[], view: View): void {
    for (const node of nodes) this.node(node, view);
  }

  private node(node: TemplateNode, view: View): void {
    this.meter.spend(node.place);
    switch (node.kind) {
      case 'text':
        this.write(node.text, node.place);
        return;
      case 'output':
        this.write(this.at(node.place, view).text(node.value), node.place);
        return;
      case 'if': {
        const branch = node.branches.find(({ when, place }) => this.at(place, view).isTrue(when));
        this.nodes(branch ? branch.body : node.otherwise, view);
        return;
      }
      case 'for':
        this.loop(node, view);
        return;
      case 'block': {
        const chain = [...view.chain, `block ${node.name}`];
        this.meter.checkDepth(node.place, chain);
        this.nodes(view.blocks.get(node.name) ?? [], { ...view, chain });
        return;
      }
      case 'include':
        this.template(this.find(node.name, node.place), view);
    }
  }

  private loop(node: Extract<TemplateNode, { kind: 'for' }>, view: View): void {
    const turns = this.turns(node, view);
    if (turns.length === 0) this.nodes(node.otherwise, view);
    for (const [index, values] of turns.entries()) {
      this.meter.spend(node.place);
      const loop = templateObject([
        ['index', index + 1],
        ['index0', index],
        ['first', index === 0],
        ['last', index === turns.length - 1],
        ['length', turns.length],
      ]);
      const own = node.names.map((name, at) => [name, values[at] ?? null] as const);
      const scope = templateObject([['loop', loop], ...own]);
      this.nodes(node.body, { ...view, scopes: [scope, ...view.scopes] });
    }
  }

  /** What each turn gives to the names of the loop. */
  private turns(
    node: Extract<TemplateNode, { kind: 'for' }>,
    view: View,
  ): readonly (readonly TemplateValue[])[] {
    const evaluator = this.at(node.place, view);
    const over = evaluator.value(node.over);
    if (node.names.length === 2) {
      return isObject(over) ? Object.entries(over) : evaluator.fail('two names need an object to loop over');
    }
    if (isList(over)) return over.map((item) => [item]);
    return evaluator.fail('one name needs a list to loop over; an object takes two names');
  }

  private at(place: TemplatePlace, view: View): Evaluator {
    return new Evaluator(view.scopes, this.meter, place);
  }

  private write(text: string, place: TemplatePlace): void {
    this.characters += text.length;
    if (this.characters > this.limits.outputCharacters) {
      throw new TemplateError(
        'template-limit',
        `more than ${this.limits.outputCharacters} characters`,
        place,
      );
    }
    this.pieces.push(text);
  }
}
