import type { Context } from './context.ts'
import type { Mention } from './find-mentions.ts'
import { isGiven } from './given.ts'
import { findRelativeBases, isUnitBefore } from './label-sets.ts'
import { isSaidBy, periodOfValue } from './read-period.ts'
import type { Scope } from './scope.ts'

/** Checks a date or period in the text: it has to be in the results, in the question, or a value of a parameter or condition. */
export function judgePeriod(mention: Mention, scope: Scope, scopes: readonly Scope[], context: Context): string | null {
  const period = mention.period!
  if (mention.labels.size > 0) return null
  const isAsked = scope.question.mentions.some((asked) => asked.period && isSaidBy(period, asked.period))
  if (isAsked || context.givenTexts.some((text) => isGiven(scope.tokens, mention.from, mention.to, text))) return null
  if (context.parameters.some((parameter) => parameter.period && isSaidBy(period, parameter.period))) return null
  if (conditionDates(scopes).some((text) => isSaidBy(period, periodOfValue(text.length === 7 ? `${text}-01` : text) ?? {}))) return null
  if (isComparedBase(mention, scope, scopes)) return null
  return 'No result of this answer has this date or period.'
}

/** The values that the conditions of a sentence's figures compare with. */
function conditionDates(scopes: readonly Scope[]): string[] {
  const figures = scopes.flatMap((scope) => scope.figures.map(({ figure }) => figure))
  const operands = figures.flatMap(({ subject, base }) => (base ? [subject.operand, base.operand] : [subject.operand]))
  return operands.flatMap(({ conditions }) =>
    conditions.flatMap((condition) => {
      if (condition.kind === 'null' || condition.kind === 'in_source') return []
      return condition.kind === 'compare' ? [condition.literal.text] : condition.literals.map(({ text }) => text)
    }),
  )
}

/** "The previous month" is what a change of the sentence is compared with. */
function isComparedBase({ from, to }: Mention, { tokens }: Scope, scopes: readonly Scope[]): boolean {
  const bases = findRelativeBases(tokens).filter((base) => from < base.to && base.from < to)
  return scopes.some(({ figures }) =>
    figures.some(({ figure: { subject, base } }) =>
      subject.view.labelColumns.some((column) => {
        const [wanted, compared] = [subject, base].map((one) => one?.selection.labels.get(column.column.index))
        return wanted && compared && bases.some(({ unit }) => isUnitBefore(column, compared, wanted, unit))
      }),
    ),
  )
}
