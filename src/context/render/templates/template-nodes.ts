import type { TemplatePlace } from './template-error.ts';

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'attribute'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly of: Expression; readonly key: Expression }
  | {
      readonly kind: 'filter';
      readonly of: Expression;
      readonly name: string;
      readonly given: readonly Expression[];
    }
  | { readonly kind: 'test'; readonly of: Expression; readonly test: TestName; readonly negated: boolean }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'both' | 'either' | 'concat'; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'choose';
      readonly when: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    };

export const COMPARE_OPERATORS = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not in'] as const;
export type CompareOperator = (typeof COMPARE_OPERATORS)[number];

export const TEST_NAMES = ['defined', 'none', 'string', 'number', 'mapping', 'sequence'] as const;
export type TestName = (typeof TEST_NAMES)[number];

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string; readonly place: TemplatePlace }
  | { readonly kind: 'output'; readonly value: Expression; readonly place: TemplatePlace }
  | {
      readonly kind: 'if';
      readonly branches: readonly IfBranch[];
      readonly otherwise: readonly TemplateNode[];
      readonly place: TemplatePlace;
    }
  | {
      readonly kind: 'for';
      /** One name for the items of a list, two for the keys and values of an object. */
      readonly names: readonly string[];
      readonly over: Expression;
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
      readonly place: TemplatePlace;
    }
  | { readonly kind: 'block'; readonly name: string; readonly place: TemplatePlace }
  | { readonly kind: 'include'; readonly name: string; readonly place: TemplatePlace };

export interface IfBranch {
  readonly when: Expression;
  readonly body: readonly TemplateNode[];
  readonly place: TemplatePlace;
}

export interface ParsedTemplate {
  readonly name: string;
  readonly parent: { readonly name: string; readonly place: TemplatePlace } | null;
  readonly body: readonly TemplateNode[];
  readonly blocks: ReadonlyMap<string, readonly TemplateNode[]>;
}
