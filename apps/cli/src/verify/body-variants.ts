import { gunzipSync } from 'node:zlib'
import { utf8 } from './captured-request.ts'
import { readChunks } from './read-chunks.ts'
import { writtenAgain } from './written-again.ts'

/** A body as it may have been before something changed it, and what that was. */
export interface BodyVariant {
  body: Uint8Array<ArrayBuffer>
  /** What has happened to it, continuing "The body ". Empty for the body as it is. */
  changes: string[]
}

interface Undo {
  change: string | ((body: Uint8Array) => string)
  /** The body before, or undefined where it cannot have happened. */
  undo(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined
}

const unpackedMaxBytes = 8 * 1024 * 1024

const strictText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
const ofText = (change: (text: string) => string | undefined) => (body: Uint8Array) => {
  const text = strictText(body)
  const changed = text === undefined ? undefined : change(text)
  return changed === undefined ? undefined : utf8(changed)
}
/** Letters of Windows-1252 that Latin-1 has none for, as bytes. */
const windowsBytes = new Map(
  Array.from({ length: 32 }, (_, index) => {
    const byte = 0x80 + index
    return [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte] as const
  }),
)

const undos: Undo[] = [
  { change: 'got a byte order mark in front', undo: ofText((text) => text.replace(/^\uFEFF/, '')) },
  { change: 'got a line break at its end', undo: ofText((text) => text.replace(/(\r?\n)+$/, '')) },
  { change: 'got white space around it', undo: ofText((text) => text.trim()) },
  { change: 'lost the line break at its end', undo: ofText((text) => `${text}\n`) },
  { change: 'got CRLF for its line ends', undo: ofText((text) => text.replaceAll('\r\n', '\n')) },
  { change: 'got LF for its line ends', undo: ofText((text) => text.replaceAll(/\r?\n/g, '\r\n')) },
  {
    change: (body) => writtenAgain(strictText(body) ?? '').how,
    undo: ofText((text) => writtenAgain(text).original),
  },
  {
    change: 'was parsed, and written again with its keys in another order',
    undo: ofText((text) => {
      const { original, inOrder } = writtenAgain(text)
      // White space and the like is undone on its own, and then named too.
      return original === undefined ? inOrder : undefined
    }),
  },
  {
    change: 'was written as a JSON string once more',
    undo: ofText((text) => {
      const value = writtenAgain(text).value
      return typeof value === 'string' ? value : undefined
    }),
  },
  {
    change: 'is in base64, as gateways hand it over',
    undo: ofText((text) => {
      const packed = text.trim()
      return /^[A-Za-z0-9+/]{8,}={0,2}$/.test(packed) ? strictText(Buffer.from(packed, 'base64')) : undefined
    }),
  },
  {
    change: 'is compressed with gzip',
    undo(body) {
      if (body[0] !== 0x1f || body[1] !== 0x8b) return undefined
      try {
        return Uint8Array.from(gunzipSync(body, { maxOutputLength: unpackedMaxBytes }))
      } catch {
        return undefined
      }
    },
  },
  { change: 'is still in the chunks of its transfer encoding', undo: readChunks },
  {
    change: 'was written in UTF-16, as PowerShell does',
    undo(body) {
      if (body.length < 2 || body.length % 2 !== 0 || !body.includes(0)) return undefined
      return utf8(new TextDecoder('utf-16le').decode(body))
    },
  },
  {
    change: 'was read as Latin-1 instead of UTF-8, and written again',
    undo(body) {
      const text = strictText(body)
      const bytes = text && Array.from(text, (letter) => windowsBytes.get(letter) ?? letter.codePointAt(0)!)
      return bytes && bytes.every((byte) => byte < 256) ? Uint8Array.from(bytes) : undefined
    },
  },
  {
    change: 'was written in Latin-1 instead of UTF-8',
    undo: (body) => (strictText(body) === undefined ? utf8(new TextDecoder('windows-1252').decode(body)) : undefined),
  },
  { change: 'was brought into another form of Unicode (NFD)', undo: ofText((text) => text.normalize('NFC')) },
]

/** Two changes in a row are usual, as an editor that indents and ends with a line break; three are not. */
const changesMax = 2
/** An event has a few kilobytes. What is much larger is no event, and not worth to be kept in a hundred forms. */
const combinedMaxBytes = 256 * 1024

/** The body as it is, then as it may have been: one usual change undone, then two. */
export function bodyVariants(body: Uint8Array<ArrayBuffer>): BodyVariant[] {
  const seen = new Map<string, BodyVariant>([[keyOf(body), { body, changes: [] }]])
  let latest = [...seen.values()]
  const depth = body.length > combinedMaxBytes ? 1 : changesMax
  for (let count = 0; count < depth; count++) {
    const next: BodyVariant[] = []
    for (const variant of latest) {
      for (const { change, undo } of undos) {
        const before = undo(variant.body)
        if (before === undefined || seen.has(keyOf(before))) continue
        const what = typeof change === 'string' ? change : change(variant.body)
        const found = { body: before, changes: [...variant.changes, what] }
        seen.set(keyOf(before), found)
        next.push(found)
      }
    }
    latest = next
  }
  return [...seen.values()]
}

const keyOf = (body: Uint8Array) => Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
