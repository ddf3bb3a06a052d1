import { writeAscii } from '../json-bytes.ts'
import { decimalText, integerText, numberText } from '../text-values/number-texts.ts'
import type { ValueWriter } from '../text-values/value-writer.ts'
import {
  copy, copyString, endOfString, endOfToken, incomplete, openBrace, openBracket, quote, rewriteList, rewriteObject,
  type Rewriter,
} from './json-text.ts'

const letterN = 0x6e
const dash = 0x2d
const zero = 0x30
const nine = 0x39

/** Rewrites the text of a value, which is quoted or not depending on the server's version and settings. */
export function byText(write: ValueWriter): Rewriter {
  return (out, source, at) => {
    if (source[at] === quote) {
      const end = endOfString(source, at + 1)
      if (end === incomplete) return incomplete
      write(out, source, at + 1, end)
      return end + 1
    }
    const end = endOfToken(source, at)
    if (end === incomplete) return incomplete
    if (source[at] === letterN && end - at === 4) writeAscii(out, 'null')
    else write(out, source, at, end)
    return end
  }
}

export const integer = byText(integerText)
export const number = byText(numberText)
export const decimal = byText(decimalText)

/** Copies a string with its escapes, or `true`, `false`, `null`. */
export const verbatim: Rewriter = (out, source, at) => {
  if (source[at] === quote) return copyString(out, source, at)
  const end = endOfToken(source, at)
  if (end !== incomplete) copy(out, source, at, end)
  return end
}

/** From this many digits on, JavaScript may not represent an integer exactly. */
const longDigits = 16

/** Copies arbitrary JSON, for columns of JSON or unknown types. Only integers that would be rounded change. */
export const anyJson: Rewriter = (out, source, at) => {
  const first = source[at]
  if (first === openBracket) return rewriteList(out, source, at, () => anyJson)
  if (first === openBrace) return rewriteObject(out, source, at, () => anyJson)
  if (first === quote) return copyString(out, source, at)
  const end = endOfToken(source, at)
  if (end === incomplete) return incomplete
  if (end - at >= longDigits && isInteger(source, at, end)) integerText(out, source, at, end)
  else copy(out, source, at, end)
  return end
}

function isInteger(source: Uint8Array, start: number, end: number): boolean {
  for (let index = source[start] === dash ? start + 1 : start; index < end; index++) {
    if (source[index]! < zero || source[index]! > nine) return false
  }
  return true
}
