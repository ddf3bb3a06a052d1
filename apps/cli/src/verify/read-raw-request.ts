import { type CapturedRequest, UnreadableRequest, headerValues } from './captured-request.ts'
import { readChunks } from './read-chunks.ts'

const requestLine = /^[A-Z]+ \S+ HTTP\/[\d.]+$/
const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/
/** Lines of `curl -v` that are not part of the request: remarks, the response, progress. */
const curlRemark = /^(\*|<|[{}] \[)/

/**
 * Reads a request as sent over the wire, or as shown by `nc`, a proxy or `curl -v`: with LF or CRLF, with or without the request line,
 * with or without `> ` before each line.
 */
export function readRawRequest(bytes: Uint8Array): CapturedRequest {
  const lines = splitLines(bytes)
  const headers: CapturedRequest['headers'] = []
  let hasRequestLine = false
  let bodyStart = bytes.length
  let isCurlOutput = false
  for (const { text, end } of lines) {
    if (curlRemark.test(text)) continue
    isCurlOutput ||= /^>( |$)/.test(text)
    const line = isCurlOutput ? text.replace(/^> ?/, '') : text
    if (line === '') {
      // Text copied from a window often starts with an empty line.
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
  if (headers.length === 0) throw new UnreadableRequest(`The input contains no request. ${expected}`)
  const rest = Uint8Array.from(bytes.subarray(bodyStart))
  return withFraming(headers, isCurlOutput ? removeRemarks(rest) : rest)
}

const expected =
  'Expected the lines of a request (POST /hook HTTP/1.1, headers, an empty line, the body), a HAR file, ' +
  'or JSON {"headers", "body"}.'

function unreadable(line: string, headerCount: number) {
  const place = headerCount === 0 ? 'The first line' : `The line after ${headerCount} headers`
  const isBody = line.startsWith('{')
  const hint = isBody ? 'Put an empty line between headers and body.' : expected
  return new UnreadableRequest(`${place} is not a header: ${JSON.stringify(line.slice(0, 60))}. ${hint}`)
}

/** Finds the end of the body: by its chunks, by Content-Length if the rest is clearly not part of it, or the end of the file. */
function withFraming(headers: CapturedRequest['headers'], rest: Uint8Array<ArrayBuffer>): CapturedRequest {
  const isChunked = headerValues(headers, 'transfer-encoding').some((value) => /\bchunked\b/i.test(value))
  const unchunked = isChunked ? readChunks(rest) : undefined
  if (unchunked) return { headers, body: unchunked, notes: [] }
  const length = Number(headerValues(headers, 'content-length')[0])
  if (!Number.isInteger(length) || length >= rest.length) return { headers, body: rest, notes: [] }
  const beyond = new TextDecoder('latin1').decode(rest.subarray(length))
  if (/^[\r\n]*$/.test(beyond)) return { headers, body: rest.slice(0, length), notes: [] }
  if (/^[\r\n]*([A-Z]+ \S+ HTTP\/|HTTP\/[\d.]+ \d{3})/.test(beyond)) {
    return { headers, body: rest.slice(0, length), notes: ['Ignored everything after the first request.'] }
  }
  return { headers, body: rest, notes: [] }
}

function* splitLines(bytes: Uint8Array): Generator<{ text: string; end: number }> {
  const decoder = new TextDecoder('latin1')
  let start = 0
  while (start < bytes.length) {
    const found = bytes.indexOf(0x0a, start)
    const end = found === -1 ? bytes.length : found + 1
    yield { text: decoder.decode(bytes.subarray(start, end)).replace(/\r?\n$/, ''), end }
    start = end
  }
}

function removeRemarks(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept: Uint8Array[] = []
  let start = 0
  for (const { text, end } of splitLines(bytes)) {
    if (!/^([*<] |<$|[{}] \[)/.test(text)) kept.push(bytes.subarray(start, end))
    start = end
  }
  return Uint8Array.from(Buffer.concat(kept))
}
