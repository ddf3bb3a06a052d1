import fc, { type Arbitrary } from 'fast-check'
import type { FuzzRoute } from './routes.ts'
import { validValue, mostly, oddText, oddValue, slotFor, slotNames, invalidValue } from './values.ts'

/** A request with slots in place of ids. */
export interface FuzzRequest {
  route: FuzzRoute
  method: string
  /** Including the query string. */
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** `own`: with a valid key or session. */
  credentials: 'own' | 'none' | 'bad'
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export function requestTo(route: FuzzRoute): Arbitrary<FuzzRequest> {
  return fc
    .record({
      method: mostly(fc.constant(route.method), fc.constantFrom(...methods)),
      path: pathOf(route.path),
      query: queryOf(route),
      headers: fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: oddHeaders }),
      body: bodyOf(route),
      contentType: mostly(fc.constant('application/json'), contentTypes),
      credentials: fc.oneof(
        { weight: 8, arbitrary: fc.constant('own' as const) },
        { weight: 1, arbitrary: fc.constant('none' as const) },
        { weight: 1, arbitrary: fc.constant('bad' as const) },
      ),
    })
    .map(({ method, path, query, headers, body, contentType, credentials }) => {
      const typed: Record<string, string> = body !== undefined && contentType ? { 'content-type': contentType } : {}
      return { route, method, url: path + query, headers: Object.assign(typed, versionOf(route), headers), body, credentials }
    })
}

/** A change of a board or a metric names the version that it is based on. */
const versionOf = ({ method, path }: FuzzRoute): Record<string, string> =>
  (method === 'PATCH' && path.includes('/boards/')) || (method === 'PUT' && path.includes('/metrics/')) ? { 'if-match': '"1"' } : {}

function pathOf(path: string): Arbitrary<string> {
  const pieces = path.split('/').map((piece) => (piece.startsWith(':') ? parameter(piece.slice(1), path) : fc.constant(piece)))
  return fc.tuple(...pieces).map((made) => made.join('/'))
}

function parameter(name: string, path: string): Arbitrary<string> {
  const named = slotFor(name, path)
  const fits = named
    ? fc.constantFrom(`«own.${named}»`, `«own.${named}»`, `«own.${named}»`, `«own.${named}»`, `«other.${named}»`)
    : fc.constantFrom(...(name === 'version' ? ['1', '2'] : ['main', 'numbers']))
  const any = fc.constantFrom(...slotNames).map((each) => `«own.${each}»`)
  const nothing = '00000000-0000-7000-8000-000000000000'
  const odd = fc.oneof(oddText.map(encoded), fc.constantFrom('%zz', '%', '%C3%28', '..%2f', '%00', 'a%2Fb', "'", '~', nothing))
  return fc.oneof({ weight: 9, arbitrary: fits }, { weight: 1, arbitrary: any }, { weight: 2, arbitrary: odd })
}

/** Text that cannot be URL-encoded cannot be sent in a URL. */
const encoded = (text: string) =>
  encodeURIComponent(text.toWellFormed()).slice(0, 3000).replaceAll('%C2%AB', '«').replaceAll('%C2%BB', '»')

const oddName = fc.oneof(fc.constantFrom('limit', 'cursor', 'format', 'x', '__proto__'), oddText)

function queryOf({ query }: FuzzRoute): Arbitrary<string> {
  const odd = fc
    .array(fc.tuple(oddName, oddText), { maxLength: 3 })
    .map((pairs) => pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'))
  const fits = query ? validValue(query).map((values) => queryText(values as Record<string, unknown>)) : fc.constant('')
  const spoiltOne = query ? validValue(query).chain(invalidValue).map(queryTextOfAny) : odd
  const raw = fc.constantFrom('%', '&&&', '=&=', 'limit=1&limit=2', 'limit[]=1', 'cursor=%00', '?', '#')
  return fc
    .oneof(
      { weight: 8, arbitrary: fits },
      { weight: 2, arbitrary: spoiltOne },
      { weight: 1, arbitrary: odd },
      { weight: 1, arbitrary: raw },
    )
    .map((text) => text && `?${text}`)
}

const queryTextOfAny = (value: unknown) =>
  typeof value === 'object' && value !== null ? queryText(value as Record<string, unknown>) : encoded(String(value))

function queryText(values: Record<string, unknown>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => [value].flat().map((each) => `${encoded(name)}=${encoded(textOf(each))}`))
    .join('&')
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const json = (value: unknown) => JSON.stringify(value)

/** Slightly above the size limit. */
const huge = json({ title: 'x'.repeat(1024 * 1024) })

function bodyOf({ body, method }: FuzzRoute): Arbitrary<string | undefined> {
  const raw = fc.constantFrom(...oddBodies)
  const odd = fc.oneof(raw, oddValue.map(json))
  if (!body) {
    const rarely = method === 'GET' ? 40 : 6
    return fc.oneof({ weight: rarely, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd })
  }
  const fits = validValue(body)
  return fc.oneof(
    { weight: 6, arbitrary: fits.map(json) },
    { weight: 4, arbitrary: fits.chain(invalidValue).map(json) },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

const oddBodies = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"__proto__": {"a": 1}}',
  '{"a":1}{"b":2}',
  '\u0000',
  'a,b\n1,2\n',
  '[[[[',
  '1e999',
  huge,
]

const contentTypes = fc.constantFrom(
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/xml',
  'multipart/form-data',
  'odd',
  'application/octet-stream',
)

const oddHeaders: Arbitrary<Record<string, string>> = fc
  .array(
    fc.constantFrom<[string, string]>(
      ['if-none-match', '*'],
      ['if-none-match', 'W/"x", "", ,'],
      ['accept', 'text/html;q=0'],
      ['accept-encoding', 'gzip;q=x, *;q=-1, br'],
      ['accept-encoding', 'identity'],
      ['x-request-id', 'short'],
      ['x-request-id', 'a.request-id_of_mine'],
      ['x-request-id', 'x'.repeat(900)],
      ['origin', 'https://elsewhere.test'],
      ['origin', 'null'],
      ['querypost-organization', 'org_other'],
      ['last-event-id', 'odd'],
      ['last-event-id', 'x'.repeat(5000)],
      ['range', 'bytes=5-1'],
      ['if-modified-since', 'yesterday'],
      ['cookie', 'querypost_session=; =; a=b; querypost_session="'],
      ['transfer-encoding', 'chunked'],
      ['expect', '100-continue'],
      ['host', 'elsewhere.test'],
      ['x-forwarded-for', '::1'],
      ['user-agent', ''],
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((pairs) => Object.fromEntries(pairs))
