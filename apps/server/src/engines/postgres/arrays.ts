import { writeAscii, writeByte, type JsonBytes } from '../json-bytes.ts'
import { stringText } from '../text-values/quoted-texts.ts'
import { textOf, type ValueWriter } from '../text-values/value-writer.ts'

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const equals = 0x3d

/**
 * Writes an array's text, `{1,NULL,"a \"b\""}` or `[0:1]={…}`, as a JSON array, with its elements written by `element`.
 * Bounds are dropped, because JSON has none.
 */
export function arrayText(element: ValueWriter, delimiter = comma): ValueWriter {
  function writeElement(out: JsonBytes, source: Uint8Array, start: number, end: number): void {
    if (end - start === 4 && textOf(source, start, end) === 'NULL') writeAscii(out, 'null')
    else element(out, source, start, end)
  }

  /** Writes up to the closing quote and returns the position after it. */
  function writeQuoted(out: JsonBytes, source: Uint8Array, start: number, end: number): number {
    let at = start
    let hasEscapes = false
    while (at < end && source[at] !== quote) {
      if (source[at] === backslash) {
        hasEscapes = true
        at++
      }
      at++
    }
    if (!hasEscapes) element(out, source, start, at)
    else {
      const plain = new Uint8Array(at - start)
      let length = 0
      for (let index = start; index < at; index++) {
        if (source[index] === backslash) index++
        plain[length++] = source[index]!
      }
      element(out, plain, 0, length)
    }
    return at + 1
  }

  return (out, source, start, end) => {
    let at = start
    if (source[at] === openBracket) {
      while (at < end && source[at] !== equals) at++
      at++
    }
    if (source[at] !== openBrace || source[end - 1] !== closeBrace) return stringText(out, source, start, end)
    while (at < end) {
      const byte = source[at]!
      if (byte === openBrace) {
        writeByte(out, openBracket)
        at++
      } else if (byte === closeBrace) {
        writeByte(out, closeBracket)
        at++
      } else if (byte === delimiter) {
        writeByte(out, comma)
        at++
      } else if (byte === quote) {
        at = writeQuoted(out, source, at + 1, end)
      } else {
        const first = at
        while (at < end && source[at] !== delimiter && source[at] !== closeBrace) at++
        writeElement(out, source, first, at)
      }
    }
  }
}
