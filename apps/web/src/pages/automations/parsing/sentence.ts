/**
 * The sentence being parsed, and which parts of it have been consumed.
 *
 * - A part that is `cut` is not part of the instructions and does not appear in the `rest`.
 * - A part that is `kept` is consumed too, but stays in the rest, such as the title of a query that the instructions mention.
 * - No part is consumed twice: `find` sees placeholder characters of the same length instead, so positions stay valid.
 */
export interface Sentence {
  find(pattern: RegExp): Span | undefined
  cut(span: Span): void
  keep(span: Span): void
  /** Whether only punctuation and spaces separate the span from a part that was cut. */
  isBesideCut(span: Span): boolean
  /** The text that was not cut, tidied up. */
  rest(): string
}

export interface Span {
  from: number
  to: number
  text: string
  groups: (string | undefined)[]
}

const cutMark = '\uE000'
const keptMark = '\uE001'

/** Matches a span that was cut inside a longer pattern. */
export const cutText = `${cutMark}+`

/** Matches a kept span inside a longer pattern. */
export const kept = `${keptMark}+`

export function makeSentence(text: string): Sentence {
  let open = text
  const cuts: Span[] = []
  const blank = ({ from, to }: Span, mark: string) => {
    open = open.slice(0, from) + mark.repeat(to - from) + open.slice(to)
  }
  return {
    find(pattern) {
      const match = pattern.exec(open)
      if (!match) return undefined
      const to = match.index + match[0].length
      return { from: match.index, to, text: text.slice(match.index, to), groups: match.slice(1) }
    },
    cut(span) {
      cuts.push(span)
      blank(span, cutMark)
    },
    keep: (span) => blank(span, keptMark),
    isBesideCut: ({ from, to }) =>
      new RegExp(`${cutMark}[\\s,;]*$`).test(open.slice(0, from)) || new RegExp(`^[\\s,;]*${cutMark}`).test(open.slice(to)),
    rest() {
      let left = ''
      let at = 0
      for (const { from, to } of cuts.toSorted((one, other) => one.from - other.from)) {
        left += `${text.slice(at, from)} `
        at = Math.max(at, to)
      }
      return tidy(left + text.slice(at))
    },
  }
}

/** Removes commas and conjunctions left over next to a cut, and makes the rest a sentence. */
function tidy(text: string): string {
  const words = text
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ([,.;:!?])/g, '$1')
    .replaceAll(/([,;:])[,;:]+/g, '$1')
    .replaceAll(/[,;:]\./g, '.')
    .trim()
    .replace(/^(?:[\s,;:.]+|(?:and|then|please)\b)+/i, '')
    .replace(/[\s,;:]+$/, '')
  if (words === '') return ''
  const sentence = words[0]!.toUpperCase() + words.slice(1)
  return /[.!?…”"]$/.test(sentence) ? sentence : `${sentence}.`
}
