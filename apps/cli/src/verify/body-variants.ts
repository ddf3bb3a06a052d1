import { gunzipSync } from 'node:zlib'
import { utf8 } from './captured-request.ts'
import { readChunks } from './read-chunks.ts'
import { describeReserialization } from './reserialized.ts'

/** A body as it may have been before it was changed, with the changes. */
export interface BodyVariant {
  body: Uint8Array<ArrayBuffer>
  /** Each continues the sentence "The body …". Empty for the body as it is. */
  changes: string[]
}

interface Undo {
  change: string | ((body: Uint8Array) => string)
  /** The body before the change, or undefined if the change can't have happened. */
  undo(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined
}

const maxUnpackedBytes = 8 * 1024 * 1024

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
/** The bytes of characters that are in Windows-1252 but not in Latin-1. */
const windowsBytes = new Map(
  Array.from({ length: 32 }, (_, index) => {
    const byte = 0x80 + index
    return [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte] as const
  }),
)

const undos: Undo[] = [
  { change: 'got a byte order mark at the start', undo: ofText((text) => text.replace(/^\uFEFF/, '')) },
  { change: 'got a line break at the end', undo: ofText((text) => text.replace(/(\r?\n)+$/, '')) },
  { change: 'got surrounding white space', undo: ofText((text) => text.trim()) },
  { change: 'lost the line break at the end', undo: ofText((text) => `${text}\n`) },
  { change: 'got CRLF line ends', undo: ofText((text) => text.replaceAll('\r\n', '\n')) },
  { change: 'got LF line ends', undo: ofText((text) => text.replaceAll(/\r?\n/g, '\r\n')) },
  {
    change: (body) => describeReserialization(strictText(body) ?? '').change,
    undo: ofText((text) => describeReserialization(text).original),
  },
  {
    change: 'was parsed and serialized again with its keys in another order',
    undo: ofText((text) => {
      const { original, inOrder } = describeReserialization(text)
      // Differences in white space are a change of their own.
      return original === undefined ? inOrder : undefined
    }),
  },
  {
    change: 'was encoded as a JSON string',
    undo: ofText((text) => {
      const value = describeReserialization(text).value
      return typeof value === 'string' ? value : undefined
    }),
  },
  {
    change: 'is base64-encoded, as some gateways do',
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
        return Uint8Array.from(gunzipSync(body, { maxOutputLength: maxUnpackedBytes }))
      } catch {
        return undefined
      }
    },
  },
  { change: 'still has its chunked transfer encoding', undo: readChunks },
  {
    change: 'was encoded in UTF-16, as PowerShell does',
    undo(body) {
      if (body.length < 2 || body.length % 2 !== 0 || !body.includes(0)) return undefined
      return utf8(new TextDecoder('utf-16le').decode(body))
    },
  },
  {
    change: 'was decoded as Latin-1 instead of UTF-8',
    undo(body) {
      const text = strictText(body)
      const bytes = text && Array.from(text, (character) => windowsBytes.get(character) ?? character.codePointAt(0)!)
      return bytes && bytes.every((byte) => byte < 256) ? Uint8Array.from(bytes) : undefined
    },
  },
  {
    change: 'was encoded in Latin-1 instead of UTF-8',
    undo: (body) => (strictText(body) === undefined ? utf8(new TextDecoder('windows-1252').decode(body)) : undefined),
  },
  { change: 'was converted to another Unicode form (NFD)', undo: ofText((text) => text.normalize('NFC')) },
]

/** Two changes are common (an editor that indents and adds a line break), three are not. */
const maxChanges = 2
/** An event has a few kilobytes. A much larger body is not worth trying a hundred variants. */
const maxCombinedBytes = 256 * 1024

/** The body as it is, then with one common change undone, then with two. */
export function bodyVariants(body: Uint8Array<ArrayBuffer>): BodyVariant[] {
  const seen = new Map<string, BodyVariant>([[keyOf(body), { body, changes: [] }]])
  let latest = [...seen.values()]
  const depth = body.length > maxCombinedBytes ? 1 : maxChanges
  for (let count = 0; count < depth; count++) {
    const next: BodyVariant[] = []
    for (const variant of latest) {
      for (const { change, undo } of undos) {
        const before = undo(variant.body)
        if (before === undefined || seen.has(keyOf(before))) continue
        const description = typeof change === 'string' ? change : change(variant.body)
        const found = { body: before, changes: [...variant.changes, description] }
        seen.set(keyOf(before), found)
        next.push(found)
      }
    }
    latest = next
  }
  return [...seen.values()]
}

const keyOf = (body: Uint8Array) => Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
