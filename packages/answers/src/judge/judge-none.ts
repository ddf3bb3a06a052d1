import type { Context } from './context.ts'
import type { NonePlace } from './find-none.ts'
import { isGiven } from './given.ts'
import { isNegative, isZero } from './judge-meaning.ts'
import type { PlacedFigure, Scope } from './scope.ts'

/**
 * "Nobody signed up" has to be shown by a figure that is zero, in the same clause or right after it: "Nobody signed up: 0 signups". A
 * figure over rows without a value may be described that way, too.
 */
export function judgeNone(
  { from, to }: NonePlace,
  scopes: readonly Scope[],
  context: Context,
  isStruck: (figure: PlacedFigure) => boolean,
): string | null {
  const at = scopes.findIndex(({ clause }) => from < clause.to)
  const scope = scopes[at]!
  if (context.givenTexts.some((text) => isGiven(scope.tokens, from, to, text))) return null
  const next = scopes[at + 1]
  const isExplained = next !== undefined && /^[(:–—]$/.test(scope.tokens[next.clause.from - 1]!.text)
  const numbers = scope.numbers.length > 0 || !isExplained ? scope.numbers : next.numbers
  const nearest = numbers.toSorted((a, b) => Math.abs(a.from - from) - Math.abs(b.from - from))[0]
  if (nearest && !isStruck(nearest) && (isZero(nearest.figure) || isAboutMissing(nearest))) return null
  return 'No figure in this sentence shows that there are none.'
}

const isAboutMissing = ({ figure }: PlacedFigure) =>
  [figure.subject, figure.base].some((one) => one?.operand.conditions.some(isNegative))
