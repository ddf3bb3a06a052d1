import type { Condition, Expression, Literal, Operand, Style } from './expression.ts'

const quoted = (text: string, quote: string) => quote + text.replaceAll(quote, quote + quote) + quote

const nameText = (name: string) => (/^[\p{L}_][\p{L}\p{M}\p{N}_$]*$/u.test(name) ? name : quoted(name, '"'))

const literalText = ({ kind, text }: Literal) => (kind === 'text' ? quoted(text, "'") : text)

/** The conditions as written: `country = 'France' and month >= '2025-01-01'`. */
export function conditionText(condition: Condition, runIdOf = (source: string) => source): string {
  const name = nameText(condition.column)
  if (condition.kind === 'compare') return `${name} ${condition.operator} ${literalText(condition.literal)}`
  const not = condition.isNegated ? 'not ' : ''
  if (condition.kind === 'null') return `${name} is ${not}null`
  if (condition.kind === 'in_source') return `${name} ${not}in ${nameText(runIdOf(condition.source))}`
  return `${name} ${not}in (${condition.literals.map(literalText).join(', ')})`
}

/** `runIdOf` gives the run of a source; only sources other than `mainRunId` are written. */
export function writeExpression(
  expression: Expression,
  style: Style | null,
  { mainRunId, runIdOf }: { mainRunId: string; runIdOf: (source: string) => string },
): string {
  function operandText(operand: Operand): string {
    const { kind, column, isDistinct, by, conditions, source } = operand
    const name = column === null ? '*' : nameText(column)
    const grouped = by.length > 0 ? ` by ${by.map(nameText).join(', ')}` : ''
    const call = kind === 'value' ? name : kind === 'rows' ? 'rows()' : `${kind}(${isDistinct ? 'distinct ' : ''}${name}${grouped})`
    const where = conditions.length > 0 ? ` where ${conditions.map((condition) => conditionText(condition, runIdOf)).join(' and ')}` : ''
    const runId = source === null ? mainRunId : runIdOf(source)
    return `${call}${where}${runId === mainRunId ? '' : ` of ${nameText(runId)}`}`
  }
  const isOrdered = 'base' in expression && (expression.kind === 'change' || expression.kind === 'difference')
  const text =
    'base' in expression
      ? `${expression.kind}(${(isOrdered ? [expression.base, expression.subject] : [expression.subject, expression.base]).map(operandText).join(', ')})`
      : operandText(expression)
  return style === null ? text : `${text} | ${style}`
}
