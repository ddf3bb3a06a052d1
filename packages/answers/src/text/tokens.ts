import { fold } from '../words/fold.ts'
import { isLinkEnd, linkStart } from './canonical-markdown.ts'
import { isPlaceholderCharacter, placeholderIndex } from './find-placeholders.ts'

/** A word, a number, a figure or any other character of the text that readers see, with its place in the Markdown. */
export interface Token {
  kind: 'word' | 'number' | 'figure' | 'mark'
  /** In compatibility form: `１２` reads `12`. */
  text: string
  /** For comparison: lower case, without accents. */
  fold: string
  start: number
  end: number
  /** Whether white space, or the beginning of the text, is before it. */
  hasGap: boolean
  /** The index of a figure; -1 for other tokens. */
  figure: number
}

/** Numerals of Chinese and Japanese, with the forms used on checks. */
export const hanNumerals = '〇零一二三四五六七八九十百千万萬億亿兆两兩壹贰貳叁參弐参肆伍陆陸柒捌玖拾佰仟廿卅'

const tokenPattern = new RegExp(
  `([\\uE000-\\uE3E7])|([${hanNumerals}]+|\\p{N}+|[\\u{1F51F}\\u{1F4AF}])|((?:(?![${hanNumerals}])[\\p{L}\\p{M}])+)|(\\S)`,
  'gu',
)

/** The tokens of the Markdown between two places. Emphasis, escapes and links are not part of what readers see. */
export function readTokens(markdown: string, from: number, to: number): Token[] {
  const { text, starts, ends } = visibleText(markdown, from, to)
  const tokens: Token[] = []
  let lastEnd = -1
  for (const found of text.matchAll(tokenPattern)) {
    const [whole, figure, number, word] = found
    const at = found.index
    tokens.push({
      kind: figure ? 'figure' : number ? 'number' : word ? 'word' : 'mark',
      text: whole,
      fold: word ? fold(word) : whole,
      start: starts[at]!,
      end: ends[at + whole.length - 1]!,
      hasGap: at !== lastEnd,
      figure: figure ? placeholderIndex(figure) : -1,
    })
    lastEnd = at + whole.length
  }
  return tokens
}

interface Visible {
  text: string
  /** For each UTF-16 unit of `text`, where its source starts and ends in the Markdown. */
  starts: number[]
  ends: number[]
}

const isPunctuation = (code: number) =>
  (code >= 33 && code <= 47) || (code >= 58 && code <= 64) || (code >= 91 && code <= 96) || (code >= 123 && code <= 126)

const isLetterOrDigit = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

function visibleText(markdown: string, from: number, to: number): Visible {
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  function put(shown: string, start: number, end: number) {
    for (let unit = 0; unit < shown.length; unit++) {
      starts.push(start)
      ends.push(end)
    }
    text += shown
  }
  let isLineStart = true
  for (let at = from; at < to; ) {
    const character = markdown[at]!
    const code = markdown.charCodeAt(at)
    const wasLineStart: boolean = isLineStart
    isLineStart = character === '\n' || (wasLineStart && (character === ' ' || character === '>'))
    if (character === '\\' && at + 1 < to && isPunctuation(markdown.charCodeAt(at + 1))) {
      put(markdown[at + 1]!, at, at + 2)
      at += 2
    } else if (character === '*' || character === '`' || character === linkStart || isLinkEnd(character)) at++
    else if (character === '_' && !(isLetterOrDigit(markdown[at - 1]) && isLetterOrDigit(markdown[at + 1]))) at++
    else if (character === '>' && wasLineStart) at++
    else if (code < 0x80) {
      put(character === '\n' ? ' ' : character, at, at + 1)
      at++
    } else {
      const point = String.fromCodePoint(markdown.codePointAt(at)!)
      const end = at + point.length
      put(isPlaceholderCharacter(point) ? point : compatible(point), at, end)
      at = end
    }
  }
  return { text, starts, ends }
}

/** "½" and "Ⅻ" are numbers; in compatibility form they would be several tokens, or letters. */
function compatible(character: string): string {
  const form = character.normalize('NFKC')
  return /\p{N}/u.test(character) && !/^\p{Nd}+$/u.test(form) ? character : form
}
