import type { Token } from '../text/tokens.ts'
import { wordSet } from '../words/fold.ts'
import { directionOf } from '../words/direction-words.ts'
import type { Context } from './context.ts'

/** A part of a sentence that is read by itself: `from` is its first token, `to` the one after its last. */
export interface Clause {
  from: number
  to: number
}

/** After a comma, these begin a clause of their own. */
const starters = wordSet(
  `while whereas but with including of led followed compared versus vs although though leaving making
   während wohingegen aber davon darunter gefolgt mit tandis alors mais dont avec suivi contre mientras pero con seguido seguida frente mentre ma
   seguito enquanto mas com terwijl maar waarvan gevolgd met`,
)
const conjunctions = wordSet('and und et y e en')

export function splitClauses(tokens: readonly Token[], { figureOf, language }: Context): Clause[] {
  const starts = [0]
  const hasFigure = (from: number, to: number) => tokens.slice(from, to).some(({ kind }) => kind === 'figure')
  for (let at = 1; at < tokens.length; at++) {
    const [before, token] = [tokens[at - 1]!, tokens[at]!]
    if (before.kind !== 'mark') continue
    const isBreak = before.text === ';' || (/^[—–]$/.test(before.text) && before.hasGap && token.hasGap)
    const isStarter = token.kind === 'word' && (starters.has(token.fold) || directionOf(token.fold, language) !== undefined)
    const isChange = token.kind === 'figure' && figureOf(token.figure)?.direction !== undefined && figureOf(token.figure)!.direction !== null
    const isConjunction = conjunctions.has(token.fold) && hasFigure(starts.at(-1)!, at) && hasFigure(at, tokens.length)
    if (isBreak || (before.text === ',' && (isStarter || isChange || isConjunction))) starts.push(at)
  }
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? tokens.length }))
}
