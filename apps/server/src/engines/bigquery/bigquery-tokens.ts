import type { ServerPlace } from '../../model/server-settings.ts'
import { abortAfter, type Clock } from '../../ports/clock.ts'
import { EngineError } from '../engine.ts'
import { type HttpResponse, openHttpConnection } from '../http/http-connection.ts'
import type { ExchangeRequest } from '../http/pooled-exchange.ts'
import { TooManyBytes } from '../json-bytes.ts'
import type { ServerOptions } from '../server-options.ts'
import { BigqueryError, noBigquery } from './bigquery-failure.ts'
import { readCredentials, scope, type ServiceAccountKey, tokenRequest } from './bigquery-key.ts'
import type { ExternalAccount, SubjectTokenSource } from './external-account.ts'
import { wrongKey } from './wrong-key.ts'

const tokenMaxBytes = 64 * 1024
const answerWithinMs = 15_000
/** A token is replaced this long before it expires. */
const marginMs = 5 * 60_000

interface Token {
  text: string
  expiresAtMs: number
}

/** Access tokens, by the key of a service account or by workload identity. */
export function makeTokens(options: ServerOptions, keyText: string) {
  const { settings, clock } = options
  let current: Promise<Token> | undefined

  async function request(): Promise<Token> {
    const credentials = readCredentials(keyText, settings)
    return credentials.kind === 'external_account' ? requestByIdentity(options, credentials) : requestByKey(options, credentials)
  }

  async function get(): Promise<string> {
    const found = await current?.catch(() => undefined)
    if (found && clock.monotonicMs() < found.expiresAtMs - marginMs) return found.text
    current = request()
    return (await current).text
  }

  return {
    get,
    forget() {
      current = undefined
    },
  }
}

async function requestByKey(options: ServerOptions, key: ServiceAccountKey): Promise<Token> {
  const { clock } = options
  const response = await call(options, new URL(key.tokenUri), { method: 'POST', headers: formHeaders, body: tokenRequest(key, clock.now().getTime()) })
  const { access_token: text, expires_in: seconds } = accepted(response, 'The key was not accepted. Check that it has not been deleted.')
  return tokenOf(text, (typeof seconds === 'number' ? seconds : 0) * 1000, clock)
}

async function requestByIdentity(options: ServerOptions, account: ExternalAccount): Promise<Token> {
  const { clock } = options
  const exchanged = await call(options, account.exchangeUrl, {
    method: 'POST',
    headers: formHeaders,
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience: account.audience,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token_type: account.subjectTokenType,
      subject_token: await readSubjectToken(options, account.source),
    }).toString(),
  })
  const { access_token: federated } = accepted(exchanged, 'The subject token was not accepted. Check the provider of the workload identity pool.')
  const impersonated = await call(options, account.impersonationUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'querypost', authorization: `Bearer ${textIn(federated)}` },
    body: JSON.stringify({ scope: [scope] }),
  })
  const { accessToken, expireTime } = accepted(impersonated, 'The identity may not act as the service account. Grant it roles/iam.workloadIdentityUser.')
  return tokenOf(accessToken, Date.parse(String(expireTime)) - clock.now().getTime(), clock)
}

async function readSubjectToken(options: ServerOptions, { url, headers, field }: SubjectTokenSource): Promise<string> {
  const response = await call(options, url, { method: 'GET', headers: { 'user-agent': 'querypost', ...headers } })
  if (response.status !== 200) throw wrongKey(`The url of the credential_source answered with status ${response.status}.`)
  const token = field === null ? textOf(response).trim() : parsed(response)[field]
  if (typeof token === 'string' && token !== '') return token
  throw wrongKey('The url of the credential_source did not answer with a token.')
}

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'querypost' }

/** Sends one request to an allowed address of a URL, with the settings of the database if it is on the same server. */
async function call(options: ServerOptions, url: URL, request: Omit<ExchangeRequest, 'path'>): Promise<HttpResponse> {
  const { settings, clock } = options
  const place = placeOf(url)
  const isOwn = place.host === settings.host && place.port === settings.port
  const tls = url.protocol === 'https:' ? 'verified' : 'off'
  const reached = isOwn ? options : { ...options, settings: { ...settings, tls, certificateAuthority: null } as const }
  const connection = openHttpConnection(reached, place, { maxBytes: tokenMaxBytes, wrongServer: noBigquery })
  const limit = abortAfter(clock, answerWithinMs)
  try {
    return await connection.request({ ...request, path: `${url.pathname}${url.search}`, signal: limit.signal })
  } catch (error) {
    if (limit.signal.aborted) throw new EngineError('unreachable', `${url.host} did not answer within ${answerWithinMs / 1000} seconds.`)
    throw error instanceof TooManyBytes ? wrongKey(`The answer of ${url.host} is too large for a token.`) : error
  } finally {
    limit.cancel()
    await connection.close()
  }
}

function placeOf({ protocol, hostname, port }: URL): ServerPlace {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
}

/** The fields of a successful response. `refusal` is for people; Google's own words follow. */
function accepted(response: HttpResponse, refusal: string): Record<string, unknown> {
  if (response.status >= 500) throw new EngineError('unreachable', 'Google’s sign-in service cannot answer. Try again later.')
  const fields = parsed(response)
  if (response.status === 200) return fields
  const { error_description: described, error } = fields
  const reason = described ?? (error as { message?: unknown } | undefined)?.message
  const said = typeof reason === 'string' ? ` Google says: ${reason}` : ''
  throw new BigqueryError('unreachable', `${refusal}${said}`, { reason: 'authError' })
}

function tokenOf(text: unknown, lifetimeMs: number, clock: Clock): Token {
  return { text: textIn(text), expiresAtMs: clock.monotonicMs() + (Number.isNaN(lifetimeMs) ? 0 : lifetimeMs) }
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  throw new EngineError('unreachable', noBigquery)
}

const textOf = ({ body }: HttpResponse) => body.toString('utf8', 0, body.length - 1)

function parsed(response: HttpResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(textOf(response))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The same as for other JSON.
  }
  throw new EngineError('unreachable', noBigquery)
}
