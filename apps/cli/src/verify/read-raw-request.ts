import { type CapturedRequest, UnreadableRequest, valuesOf } from './captured-request.ts'
import { readChunks } from './read-chunks.ts'

const requestLine = /^[A-Z]+ \S+ HTTP\/[\d.]+$/
const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/
/** What curl writes beside a request: its remarks, the response, and how much it has sent. */
const remarkOfCurl = /^(\*|<|[{}] \[)/

/**
 * Reads a request as it went over the wire, or as `nc`, a proxy or `curl -v` shows it: with LF or CRLF, with or
 * without its first line, with `> ` in front of its lines.
 */
export function readRawRequest(bytes: Uint8Array): CapturedRequest {
  const lines = linesOf(bytes)
  const headers: CapturedRequest['headers'] = []
  let hasRequestLine = false
  let bodyStart = bytes.length
  let isOfCurl = false
  for (const { text, end } of lines) {
    if (remarkOfCurl.test(text)) continue
    isOfCurl ||= /^>( |$)/.test(text)
    const line = isOfCurl ? text.replace(/^> ?/, '') : text
    if (line === '') {
      // Whoever copies a request out of a window often copies an empty line in front of it.
      if (!hasRequestLine && headers.length === 0) continue
      bodyStart = end
      break
    }
    if (headers.length === 0 && requestLine.test(line)) {
      hasRequestLine = true
      continue
    }
    const header = headerLine.exec(line)
    if (!header) throw unreadable(line, headers.length)
    headers.push([header[1]!, header[2]!])
  }
  if (headers.length === 0) throw new UnreadableRequest(`It holds no request. ${expected}`)
  const rest = Uint8Array.from(bytes.subarray(bodyStart))
  return withFraming(headers, isOfCurl ? withoutRemarks(rest) : rest)
}

const expected =
  'Expected are the lines of a request (POST /hook HTTP/1.1, its headers, an empty line, its body), a HAR ' +
  'file, or JSON {"headers", "body"}.'

function unreadable(line: string, headerCount: number) {
  const where = headerCount === 0 ? 'Its first line' : `The line after ${headerCount} headers`
  const isBody = line.startsWith('{')
  const hint = isBody ? 'Leave an empty line between headers and body.' : expected
  return new UnreadableRequest(`${where} is no header: ${JSON.stringify(line.slice(0, 60))}. ${hint}`)
}

/** The body's end: by chunks, by Content-Length where what follows is clearly none of it, or by the end of the file. */
function withFraming(headers: CapturedRequest['headers'], rest: Uint8Array<ArrayBuffer>): CapturedRequest {
  const isChunked = valuesOf(headers, 'transfer-encoding').some((value) => /\bchunked\b/i.test(value))
  const unchunked = isChunked ? readChunks(rest) : undefined
  if (unchunked) return { headers, body: unchunked, notes: [] }
  const length = Number(valuesOf(headers, 'content-length')[0])
  if (!Number.isInteger(length) || length >= rest.length) return { headers, body: rest, notes: [] }
  const beyond = new TextDecoder('latin1').decode(rest.subarray(length))
  if (/^[\r\n]*$/.test(beyond)) return { headers, body: rest.slice(0, length), notes: [] }
  if (/^[\r\n]*([A-Z]+ \S+ HTTP\/|HTTP\/[\d.]+ \d{3})/.test(beyond)) {
    return { headers, body: rest.slice(0, length), notes: ['What follows the first request in it was left aside.'] }
  }
  return { headers, body: rest, notes: [] }
}

function* linesOf(bytes: Uint8Array): Generator<{ text: string; end: number }> {
  const decoder = new TextDecoder('latin1')
  let start = 0
  while (start < bytes.length) {
    const found = bytes.indexOf(0x0a, start)
    const end = found === -1 ? bytes.length : found + 1
    yield { text: decoder.decode(bytes.subarray(start, end)).replace(/\r?\n$/, ''), end }
    start = end
  }
}

function withoutRemarks(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept: Uint8Array[] = []
  let start = 0
  for (const { text, end } of linesOf(bytes)) {
    if (!/^([*<] |<$|[{}] \[)/.test(text)) kept.push(bytes.subarray(start, end))
    start = end
  }
  return Uint8Array.from(Buffer.concat(kept))
}
