import type { Encoding } from './csv-reading.ts'

/** Detects the encoding from the beginning of a file, which may end within a character. */
export function detectEncoding(bytes: Uint8Array): Encoding {
  return markedEncoding(bytes) ?? wideEncoding(bytes) ?? (isUtf8Beginning(bytes) ? 'utf-8' : singleByteEncoding(bytes))
}

function markedEncoding([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

/** In UTF-16, delimiters, digits and line ends have a zero byte, always on the same side. Other text has none. */
function wideEncoding(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros[at % 2]!++
  const [even, odd] = zeros as [number, number]
  if (odd > even * 10 && odd * 10 > bytes.length) return 'utf-16le'
  if (even > odd * 10 && even * 10 > bytes.length) return 'utf-16be'
  return undefined
}

function isUtf8Beginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Letters and the euro sign in ISO-8859-15 where Windows-1252 has rare symbols: ¤ ¦ ¨ ´ ¸ ¼ ½ ¾. */
const euroSign = 0xa4
const lettersOfIso = new Set([0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe])

const isLetter = (byte: number | undefined) => byte !== undefined && (/[a-z]/i.test(String.fromCharCode(byte)) || byte >= 0xc0)

function singleByteEncoding(bytes: Uint8Array): Encoding {
  // Windows-1252 has characters where ISO-8859-15 has control codes that nobody writes.
  if (bytes.some((byte) => byte >= 0x80 && byte <= 0x9f)) return 'windows-1252'
  const isIso = bytes.some(
    (byte, at) => byte === euroSign || (lettersOfIso.has(byte) && (isLetter(bytes[at - 1]) || isLetter(bytes[at + 1]))),
  )
  return isIso ? 'iso-8859-15' : 'windows-1252'
}
