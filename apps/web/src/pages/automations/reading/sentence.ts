/**
 * The words that are being read, and what of them has been *read* so far.
 *
 * - What is `cut` was understood as something else than an instruction, and does not come back in the `rest`.
 * - What is `kept` was understood too, but stays in the rest: the title of a query that the instructions speak of.
 * - Nothing is read twice: `find` sees blanks where something was read, as long as that was, so that places stay what they are.
 */
export interface Sentence {
  find(pattern: RegExp): Span | undefined
  cut(span: Span): void
  keep(span: Span): void
  /** Whether nothing but commas and spaces lies between this and something that was cut. */
  isBesideCut(span: Span): boolean
  /** What was not cut, tidied. */
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

/** What a kept span looks like to a pattern that goes on behind it. */
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

/** Commas and little words that are left over where something was cut. */
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
