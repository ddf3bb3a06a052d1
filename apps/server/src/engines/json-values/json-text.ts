/**
 * Copies JSON that arrives in chunks from one byte array to another.
 *
 * - The *source* ends with a 0 byte, which JSON never contains: every loop stops there without a bounds check.
 * - A *rewriter* writes the value that begins at `at` and returns the position after it, or `incomplete` when the source
 *   ends before the value does. Its partial output is then discarded, and the value is read again once more bytes have
 *   arrived.
 * - Bytes that are not valid JSON at their position throw `NotJson`.
 */
import { reserve, writeByte, type JsonBytes } from '../json-bytes.ts'

export type Rewriter = (out: JsonBytes, source: Buffer, at: number) => number

export const incomplete = -1

export class NotJson extends Error {}

export const quote = 0x22
export const comma = 0x2c
export const colon = 0x3a
export const openBracket = 0x5b
export const closeBracket = 0x5d
export const openBrace = 0x7b
export const closeBrace = 0x7d
const backslash = 0x5c

/** From this length on, a native search or copy is faster than a loop. */
const nativeFromBytes = 96

const isSpace = new Uint8Array(256)
for (const byte of [0x20, 0x0a, 0x09, 0x0d]) isSpace[byte] = 1

export function skipSpace(source: Uint8Array, at: number): number {
  while (isSpace[source[at]!] === 1) at++
  return at
}

/** The position of the closing quote of the string that was opened before `at`. */
export function endOfString(source: Buffer, at: number): number {
  const slowUntil = at + nativeFromBytes
  for (;;) {
    const byte = source[at]!
    if (byte === quote) return at
    if (byte === backslash) {
      if (source[at + 1] === 0) return incomplete
      at += 2
    } else if (byte === 0) {
      return incomplete
    } else {
      at++
      if (at >= slowUntil) return endOfLongString(source, at)
    }
  }
}

function endOfLongString(source: Buffer, from: number): number {
  for (let at = source.indexOf(quote, from); at !== -1; at = source.indexOf(quote, at + 1)) {
    let backslashes = 0
    while (at - 1 - backslashes >= from && source[at - 1 - backslashes] === backslash) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return incomplete
}

/** 1 for bytes that end a number or a word. */
const endsToken = new Uint8Array(256)
for (const byte of [0, 0x20, 0x0a, 0x09, 0x0d, comma, colon, closeBracket, closeBrace]) endsToken[byte] = 1

/** The position after the number, `true`, `false` or `null` that begins at `at`. */
export function endOfToken(source: Uint8Array, at: number): number {
  const start = at
  while (endsToken[source[at]!] === 0) at++
  if (source[at] === 0) return incomplete
  if (at === start) throw new NotJson()
  return at
}

export function copy(out: JsonBytes, source: Buffer, start: number, end: number): void {
  const size = end - start
  if (out.length + size > out.bytes.length) reserve(out, size)
  if (size < nativeFromBytes) {
    const { bytes } = out
    let at = out.length
    for (let index = start; index < end; index++) bytes[at++] = source[index]!
    out.length = at
  } else {
    out.bytes.set(source.subarray(start, end), out.length)
    out.length += size
  }
}

export const copyString: Rewriter = (out, source, at) => {
  const end = endOfString(source, at + 1)
  if (end === incomplete) return incomplete
  copy(out, source, at, end + 1)
  return end + 1
}

/** Rewrites `[…]`. `rewriterAt` returns the rewriter for an element's index. */
export function rewriteList(
  out: JsonBytes,
  source: Buffer,
  at: number,
  rewriterAt: (index: number) => Rewriter,
): number {
  writeByte(out, openBracket)
  at = skipSpace(source, at + 1)
  for (let index = 0; source[at] !== closeBracket; index++) {
    if (index > 0) {
      if (source[at] === 0) return incomplete
      if (source[at] !== comma) throw new NotJson()
      writeByte(out, comma)
      at = skipSpace(source, at + 1)
    }
    if (source[at] === 0) return incomplete
    at = rewriterAt(index)(out, source, at)
    if (at === incomplete) return incomplete
    at = skipSpace(source, at)
  }
  writeByte(out, closeBracket)
  return at + 1
}

/** Rewrites `{…}`. `rewriterAt` returns the rewriter for a key, a JSON string from `keyStart` to `keyEnd` of the source. */
export function rewriteObject(
  out: JsonBytes,
  source: Buffer,
  at: number,
  rewriterAt: (keyStart: number, keyEnd: number) => Rewriter,
): number {
  writeByte(out, openBrace)
  at = skipSpace(source, at + 1)
  for (let index = 0; source[at] !== closeBrace; index++) {
    if (index > 0) {
      if (source[at] === 0) return incomplete
      if (source[at] !== comma) throw new NotJson()
      writeByte(out, comma)
      at = skipSpace(source, at + 1)
    }
    if (source[at] === 0) return incomplete
    if (source[at] !== quote) throw new NotJson()
    const keyStart = at
    const keyEnd = copyString(out, source, at)
    if (keyEnd === incomplete) return incomplete
    at = skipSpace(source, keyEnd)
    if (source[at] === 0) return incomplete
    if (source[at] !== colon) throw new NotJson()
    writeByte(out, colon)
    at = skipSpace(source, at + 1)
    if (source[at] === 0) return incomplete
    at = rewriterAt(keyStart, keyEnd)(out, source, at)
    if (at === incomplete) return incomplete
    at = skipSpace(source, at)
  }
  writeByte(out, closeBrace)
  return at + 1
}
