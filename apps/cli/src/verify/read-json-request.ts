import { type CapturedRequest, UnreadableRequest, utf8 } from './captured-request.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a HAR file, `{ headers, body }` as tools and gateways write it, or undefined where the text is no JSON. */
export function readJsonRequest(text: string): CapturedRequest | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value)) throw new UnreadableRequest(`It is JSON, but no request. ${expected}`)
  const log = value['log']
  return isObject(log) && Array.isArray(log['entries']) ? ofArchive(log['entries'].filter(isObject)) : ofObject(value)
}

const expected = 'Expected is a HAR file, or {"headers": {…}, "body": "…"}.'

function ofArchive(entries: Json[]): CapturedRequest {
  const requests = entries.map((entry) => ({ entry, request: isObject(entry['request']) ? entry['request'] : {} }))
  const webhooks = requests.filter(({ request }) =>
    readHeaders(request['headers'] ?? []).some(([name]) => /^(svc-)?webhook-/i.test(name)),
  )
  const [chosen] = webhooks.length > 0 ? webhooks : requests
  if (!chosen) throw new UnreadableRequest('The HAR file holds no request.')
  const posted = isObject(chosen.request['postData']) ? chosen.request['postData'] : {}
  const startedAt = new Date(String(chosen.entry['startedDateTime']))
  return {
    headers: readHeaders(chosen.request['headers'] ?? []),
    body: readBody(posted['text'] ?? '', posted['encoding'] === 'base64').bytes,
    ...(!Number.isNaN(startedAt.getTime()) && { capturedAt: startedAt }),
    notes: webhooks.length > 1 ? [`Of ${webhooks.length} webhook requests in it the first was taken.`] : [],
  }
}

function ofObject(value: Json): CapturedRequest {
  if (value['headers'] === undefined) throw new UnreadableRequest(`It is JSON without "headers". ${expected}`)
  const packed = value['bodyBase64']
  if (value['body'] === undefined && packed === undefined)
    throw new UnreadableRequest(`It is JSON without "body". ${expected}`)
  const isPacked = packed !== undefined || value['isBase64Encoded'] === true
  const { bytes, notes } = readBody(packed ?? value['body'], isPacked)
  return { headers: readHeaders(value['headers']), body: bytes, notes }
}

function readBody(body: unknown, isPacked: boolean): { bytes: Uint8Array<ArrayBuffer>; notes: string[] } {
  if (typeof body === 'string')
    return { bytes: isPacked ? Uint8Array.from(Buffer.from(body, 'base64')) : utf8(body), notes: [] }
  return {
    bytes: utf8(JSON.stringify(body) ?? ''),
    notes: [
      'Its body was caught after it had been parsed; it was written as JSON again, and may differ from what was sent.',
    ],
  }
}

/** An object of texts or lists of texts, pairs, or HAR's list of `{ name, value }`. */
function readHeaders(headers: unknown): CapturedRequest['headers'] {
  const pairs: [string, unknown][] = Array.isArray(headers)
    ? headers.map((one): [string, unknown] => (Array.isArray(one) ? [String(one[0]), one[1]] : ofPair(one)))
    : isObject(headers)
      ? Object.entries(headers)
      : []
  return pairs.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => typeof one === 'string' || typeof one === 'number')
      .map((one): [string, string] => [name, String(one)]),
  )
}

const ofPair = (one: unknown): [string, unknown] =>
  isObject(one) ? [String(one['name']), one['value']] : [String(one), undefined]
