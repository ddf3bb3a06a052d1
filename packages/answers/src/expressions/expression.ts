/**
 * The words of the expression language (docs/proof.md):
 *
 * - a *placeholder* `{{r1: sum(revenue) | exact}}` names a *source* (a run's result), an expression and, optionally, a *style*;
 * - an *operand* takes one value from the rows of a source: `sum(revenue) where country = 'France'`;
 * - an *expression* is one operand, or a *comparison* of two: `change(…, …)`;
 * - the *conditions* of an operand select its rows.
 */
export interface Placeholder {
  source: string
  expression: Expression
  style: Style | null
}

export const styles = ['about', 'amount', 'exact', 'verb'] as const
export type Style = (typeof styles)[number]

export type Expression = Operand | Comparison

export const comparisons = ['change', 'difference', 'share', 'ratio'] as const

export interface Comparison {
  kind: (typeof comparisons)[number]
  /** What it is compared with: `from`, or for shares and ratios the second operand. */
  base: Operand
  /** What is compared: `to`, or for shares and ratios the first operand. */
  subject: Operand
}

export const aggregates = ['first', 'last', 'sum', 'avg', 'min', 'max', 'median'] as const

export interface Operand {
  /** `value` is a column without a function: exactly one row must match. */
  kind: (typeof aggregates)[number] | 'value' | 'count' | 'rows'
  /** Null for `count(*)` and `rows()`. */
  column: string | null
  isDistinct: boolean
  /** Rows with the same values of these columns are added up first: `median(revenue by week)`. */
  by: string[]
  conditions: Condition[]
  /** Another source than the placeholder's. */
  source: string | null
}

export type Literal = { kind: 'text'; text: string } | { kind: 'number'; text: string } | { kind: 'boolean'; text: 'true' | 'false' }
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>='

export type Condition =
  | { kind: 'compare'; column: string; operator: Operator; literal: Literal }
  | { kind: 'in'; column: string; literals: Literal[]; isNegated: boolean }
  /** Whether the value occurs in the same column of another source. */
  | { kind: 'in_source'; column: string; source: string; isNegated: boolean }
  | { kind: 'null'; column: string; isNegated: boolean }

/** Why an expression has no value, in words that tell its author what to do. */
export class ExpressionError extends Error {
  override name = 'ExpressionError'
}

/** The sources that an operand of a placeholder with the source `main` uses. */
export const sourcesOf = ({ source, conditions }: Operand, main: string): string[] => [
  source ?? main,
  ...conditions.flatMap((condition) => (condition.kind === 'in_source' ? [condition.source] : [])),
]

export const operandsOf = (expression: Expression): Operand[] =>
  'base' in expression ? [expression.base, expression.subject] : [expression]
