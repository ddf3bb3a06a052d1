import { badInput, checkText } from '../../people/check-text.ts'

export const nameMaxLength = 60
const urlMaxLength = 2048
const headersMax = 20
const headerNameMaxLength = 64
const headerValueMaxLength = 4096

/** Headers that the protocol and HTTP set themselves, or that would change the request's destination. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export const checkName = (given: string): string =>
  checkText({ path: '/name', text: given, maxCharacters: nameMaxLength })

/**
 * Returns the URL as it is stored. Only its form is checked here. The rules on allowed addresses and plain http are applied when a
 * connection is made.
 */
export function checkUrl(given: string): string {
  const url = given.length <= urlMaxLength ? URL.parse(given) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.href.length > urlMaxLength) {
    throw badInput('/url', 'must be the address of an MCP server, such as https://mcp.example.com/mcp')
  }
  if (url.username !== '' || url.password !== '') {
    throw badInput('/url', 'must not carry a user name or password; send them as an Authorization header')
  }
  // `hash` is empty for a bare '#' at the end; anywhere else the parser has encoded it.
  if (url.href.includes('#')) throw badInput('/url', 'must not have a fragment (the part from # on)')
  if (url.port === '0') throw badInput('/url', 'must not have port 0')
  return url.href
}

/** Names are kept as given, for display. Names that differ only in case are the same header. */
export function checkHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(given)
  if (names.length > headersMax) throw badInput('/headers', `must be at most ${headersMax} headers`)
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(given)) {
    const path = `/headers/${name.slice(0, headerNameMaxLength)}`
    const lower = name.toLowerCase()
    if (name.length > headerNameMaxLength || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw badInput(path, `is not the name of a header of at most ${headerNameMaxLength} characters`)
    }
    if (reservedHeaders.has(lower)) throw badInput(path, 'is a header that the connection sets by itself; leave it out')
    if (seen.has(lower)) throw badInput(path, 'is given twice')
    seen.add(lower)
    if (value.length > headerValueMaxLength || !/^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(value)) {
      const characters = `1 to ${headerValueMaxLength} letters, digits and signs`
      throw badInput(path, `must have a value of ${characters}, without spaces around it`)
    }
  }
  return { ...given }
}
