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
  `while whereas but with including of led followed compared versus vs although though leaving making after against from
   während wohingegen aber davon darunter gefolgt mit nach gegenüber verglichen tandis alors mais dont avec suivi contre après mientras pero con seguido seguida frente tras mentre ma dopo
   seguito enquanto mas com terwijl maar waarvan gevolgd met`,
)
/** Between two values, these begin a clause without a comma: "… in December against … in November". */
const contrasts = wordSet('against versus vs compared whereas while gegenüber contre frente contro tegenover')
const conjunctions = wordSet('and und et y e en')

export function splitClauses(tokens: Token[], { figureOf, language, mentionsIn }: Context): Clause[] {
  const starts = [0]
  const hasFigure = (from: number, to: number) => tokens.slice(from, to).some(({ kind }) => kind === 'figure')
  /** Whether there are figures, and none of them compares. */
  const hasOnlyValues = (from: number, to: number) =>
    hasFigure(from, to) && tokens.slice(from, to).every(({ kind, figure }) => kind !== 'figure' || (figureOf(figure)?.comparison ?? null) === null)
  for (let at = 1; at < tokens.length; at++) {
    const [before, token] = [tokens[at - 1]!, tokens[at]!]
    if (contrasts.has(token.fold) && hasFigure(at, tokens.length) && hasOnlyValues(starts.at(-1)!, at)) starts.push(at)
    if (before.kind !== 'mark' || starts.at(-1) === at) continue
    const isBreak = before.text === ';' || (/^[—–]$/.test(before.text) && before.hasGap && token.hasGap)
    const isStarter = token.kind === 'word' && (starters.has(token.fold) || directionOf(token.fold, language) !== undefined)
    const isChange = token.kind === 'figure' && (figureOf(token.figure)?.comparison ?? null) !== null
    const isConjunction = conjunctions.has(token.fold) && hasFigure(starts.at(-1)!, at) && hasFigure(at, tokens.length)
    const isOpening = before.text === '(' && hasFigure(at, endOfParentheses(tokens, at))
    const isClosing = before.text === ')' && hasFigure(tokens.findLastIndex(({ text }, place) => place < at && text === '('), at)
    const isLead = before.text === ':' && !before.hasGap && isLeadColon(tokens, at, starts.at(-1)!, mentionsIn)
    if (isBreak || isOpening || isClosing || isLead || (before.text === ',' && (isStarter || isChange || isConjunction))) starts.push(at)
  }
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? tokens.length }))
}

function endOfParentheses(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex(({ text }, at) => at >= from && text === ')')
  return end === -1 ? tokens.length : end
}

/** "Spain and Italy are close: … in Spain and … in Italy" begins again after the colon; "Spain: …, Italy: …" does not. */
function isLeadColon(tokens: Token[], at: number, from: number, mentionsIn: Context['mentionsIn']): boolean {
  const figures = tokens.slice(at).filter(({ kind }) => kind === 'figure').length
  if (figures === 0 || tokens.slice(from, at).some(({ kind }) => kind === 'figure')) return false
  return mentionsIn(tokens).filter((mention) => mention.from >= at && !mention.isFigure).length >= figures
}
