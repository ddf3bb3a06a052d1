/** Reads the XML of workbooks, in pieces. It has no document types, so no entity can expand. */
import { ImportFault } from '../import-fault.ts'

export type XmlEvent =
  | { kind: 'open'; name: string; attributes: Record<string, string> }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

/** Longer than any tag or text in a cell. */
const unfinishedMaxCharacters = 1024 * 1024

export async function* xmlEvents(texts: AsyncIterable<string>): AsyncGenerator<XmlEvent> {
  let rest = ''
  for await (const piece of texts) {
    rest += piece
    let at = 0
    for (;;) {
      const start = rest.indexOf('<', at)
      const end = start === -1 ? -1 : endOfTag(rest, start)
      if (end === -1) break
      if (start > at) yield { kind: 'text', text: unescape(rest.slice(at, start)) }
      yield* eventsOf(rest.slice(start + 1, end))
      at = end + 1
    }
    rest = rest.slice(at)
    if (rest.length > unfinishedMaxCharacters) throw new ImportFault('file', 'The workbook is damaged: a value never ends.')
  }
}

const endOfTag = (text: string, start: number) =>
  text.startsWith('<!--', start) ? text.indexOf('-->', start) + (text.includes('-->', start) ? 2 : 0) : text.indexOf('>', start)

function eventsOf(tag: string): XmlEvent[] {
  if (tag.startsWith('?') || tag.startsWith('!--')) return []
  if (tag.startsWith('!')) throw new ImportFault('file', 'The workbook contains XML that workbooks do not have. Save it as .xlsx again.')
  if (tag.startsWith('/')) return [{ kind: 'close', name: localName(tag.slice(1)) }]
  const isEmpty = tag.endsWith('/')
  const name = localName(/^[^\s/]*/.exec(tag)![0])
  const attributes: Record<string, string> = {}
  for (const [, key, double, single] of tag.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    attributes[localName(key!)] = unescape(double ?? single ?? '')
  }
  const opened: XmlEvent = { kind: 'open', name, attributes }
  return isEmpty ? [opened, { kind: 'close', name }] : [opened]
}

const localName = (name: string) => name.trim().replace(/^.*:/, '')

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function unescape(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
