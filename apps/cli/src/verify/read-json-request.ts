import { type CapturedRequest, UnreadableRequest, utf8 } from './captured-request.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a HAR file, or `{ headers, body }` as tools and gateways write it. Undefined if the text is not JSON. */
export function readJsonRequest(text: string): CapturedRequest | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value)) throw new UnreadableRequest(`The input is JSON but not a request. ${expected}`)
  const log = value['log']
  return isObject(log) && Array.isArray(log['entries']) ? readArchive(log['entries'].filter(isObject)) : readObject(value)
}

const expected = 'Expected a HAR file or {"headers": {…}, "body": "…"}.'

function readArchive(entries: Json[]): CapturedRequest {
  const requests = entries.map((entry) => ({ entry, request: isObject(entry['request']) ? entry['request'] : {} }))
  const webhooks = requests.filter(({ request }) =>
    readHeaders(request['headers'] ?? []).some(([name]) => /^(svc-)?webhook-/i.test(name)),
  )
  const [chosen] = webhooks.length > 0 ? webhooks : requests
  if (!chosen) throw new UnreadableRequest('The HAR file contains no request.')
  const posted = isObject(chosen.request['postData']) ? chosen.request['postData'] : {}
  const startedAt = new Date(String(chosen.entry['startedDateTime']))
  return {
    headers: readHeaders(chosen.request['headers'] ?? []),
    body: readBody(posted['text'] ?? '', posted['encoding'] === 'base64').bytes,
    ...(!Number.isNaN(startedAt.getTime()) && { capturedAt: startedAt }),
    notes: webhooks.length > 1 ? [`The file has ${webhooks.length} webhook requests; using the first.`] : [],
  }
}

function readObject(value: Json): CapturedRequest {
  if (value['headers'] === undefined) throw new UnreadableRequest(`The JSON has no "headers". ${expected}`)
  const packed = value['bodyBase64']
  if (value['body'] === undefined && packed === undefined)
    throw new UnreadableRequest(`The JSON has no "body". ${expected}`)
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
      'The body was captured after parsing. It was serialized again and may differ from what was sent.',
    ],
  }
}

/** Takes an object of strings or lists of strings, a list of pairs, or HAR's list of `{ name, value }`. */
function readHeaders(headers: unknown): CapturedRequest['headers'] {
  const pairs: [string, unknown][] = Array.isArray(headers)
    ? headers.map((one): [string, unknown] => (Array.isArray(one) ? [String(one[0]), one[1]] : readPair(one)))
    : isObject(headers)
      ? Object.entries(headers)
      : []
  return pairs.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => typeof one === 'string' || typeof one === 'number')
      .map((one): [string, string] => [name, String(one)]),
  )
}

const readPair = (one: unknown): [string, unknown] =>
  isObject(one) ? [String(one['name']), one['value']] : [String(one), undefined]
