import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { type Clock, startStopwatch } from '../../../ports/clock.ts'
import { makeDeadlines } from '../../../ports/deadlines.ts'
import type { Log } from '../../../ports/log.ts'
import { currentTraceparent } from '../../../ports/telemetry/spans.ts'
import type { Network, PostAnswer, PostPhases } from '../../../ports/network/network.ts'
import type { Sealer } from '../../sealing.ts'
import { type AddressRules, checkEndpointUrl } from '../addresses/endpoint-addresses.ts'
import { signingKey } from '../secret.ts'
import { plainHeaders, signatureHeaders } from '../signing.ts'
import type { Attempt, AttemptFailure } from '../../../model/delivery.ts'
import type { ClaimedDelivery } from '../../../model/claimed-delivery.ts'
import { deliveryDeadlineMs, responseKeptBytes, responseMaxBytes } from './delivery-policy.ts'

export interface AttemptDeps {
  clock: Clock
  log: Log
  network: Network
  sealer: Sealer
  addressRules: AddressRules
}

/**
 * One attempt: check the address, sign, send, and report the outcome. Never throws because of the endpoint or its name. Returns
 * null if it was interrupted, or if the machine was suspended before anything was sent: then it does not count.
 */
export type MakeAttempt = (delivery: ClaimedDelivery, interruption: AbortSignal) => Promise<Attempt | null>

/** Why an attempt failed before anything was sent. */
class NotSent extends Error {
  readonly kind: AttemptFailure['kind']

  constructor(kind: AttemptFailure['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export function makeAttempts(deps: AttemptDeps): MakeAttempt {
  const { clock, network } = deps
  const openSecret = cachingSecrets(deps.sealer)
  const deadlines = makeDeadlines({ clock, afterMs: deliveryDeadlineMs })

  return async function makeAttempt(delivery, interruption) {
    const at = clock.now()
    const startedMs = clock.monotonicMs()
    const sinceStartMs = startStopwatch(clock)
    const limit = new AbortController()
    // With an explicit reason: otherwise an error with a stack trace is created.
    const interrupt = () => limit.abort('interrupted')
    const endDeadline = deadlines.begin(interrupt)
    interruption.addEventListener('abort', interrupt)
    let dnsMs: number | null = null
    let answer = noAnswer
    let signed: Attempt['signed'] = null
    let failure: AttemptFailure | null
    try {
      const { url, addresses } = await vet(delivery.url, limit.signal)
      // After the machine was suspended, the name's answer may arrive before the deadline fires. By then another worker may have
      // the lease, so nothing may be sent any more.
      if (sinceStartMs() > deliveryDeadlineMs) return null
      if (!isAddress(url.hostname)) dnsMs = since(startedMs)
      const body = Buffer.from(delivery.body)
      const headers = headersOf(delivery, body)
      signed = { timestamp: headers['svc-webhook-timestamp']!, signature: headers['svc-webhook-signature']! }
      answer = await network.post({
        connectionsOf: delivery.endpointId,
        url,
        addresses,
        headers,
        body,
        signal: limit.signal,
        responseMaxBytes,
        responseKeptBytes,
      })
      failure = failureOf(answer)
    } catch (error) {
      failure = limit.signal.aborted ? deadlinePassed : notSentBecause(error)
      if (failure.kind === 'internal_error') {
        deps.log.error({ err: error, deliveryId: delivery.id }, 'delivery attempt failed: internal error')
      }
    } finally {
      endDeadline()
      interruption.removeEventListener('abort', interrupt)
    }
    if (interruption.aborted) return null
    return {
      number: delivery.attemptNumber,
      at: at.toISOString(),
      durationMs: since(startedMs),
      phases: { dnsMs, ...inTenths(answer.phases) },
      signed,
      address: answer.address,
      status: answer.status,
      response: readable(answer.response),
      failure,
    }
  }

  function since(startedMs: number): number {
    return tenths(clock.monotonicMs() - startedMs)
  }

  /** Checked at every attempt, whatever was true when the endpoint was saved: a name may resolve differently now. */
  async function vet(url: string, signal: AbortSignal) {
    const checked = await checkEndpointUrl({ network, rules: deps.addressRules }, url, signal)
    if (!('fault' in checked)) return checked
    throw new NotSent(checked.layer === 'name' ? 'name_not_resolved' : 'address_refused', checked.fault)
  }

  function headersOf(delivery: ClaimedDelivery, body: Uint8Array): Record<string, string> {
    const traceparent = currentTraceparent()
    return {
      ...plainHeaders,
      ...(traceparent !== null && { traceparent }),
      ...signatureHeaders({
        eventId: delivery.eventId,
        now: clock.now(),
        body,
        key: openSecret(delivery.endpointId, delivery.secret),
      }),
    }
  }
}

const noAnswer: PostAnswer = {
  address: null,
  phases: { connectMs: null, tlsMs: null, responseMs: null, bodyMs: null },
  status: null,
  response: new Uint8Array(),
  failure: null,
}

/** Nobody needs more precision than a tenth of a millisecond in a log. */
const tenths = (ms: number) => Math.round(ms * 10) / 10
const tenthsOrNull = (ms: number | null) => (ms === null ? null : tenths(ms))

const inTenths = ({ connectMs, tlsMs, responseMs, bodyMs }: PostPhases): PostPhases => ({
  connectMs: tenthsOrNull(connectMs),
  tlsMs: tenthsOrNull(tlsMs),
  responseMs: tenthsOrNull(responseMs),
  bodyMs: tenthsOrNull(bodyMs),
})

const isAddress = (hostname: string) => isIP(hostname) !== 0 || hostname.startsWith('[')

const deadlinePassed: AttemptFailure = {
  kind: 'deadline_passed',
  message: `No complete response within ${deliveryDeadlineMs / 1000} seconds.`,
}

/** An internal error counts like any other failure: a delivery must not be retried forever because of it. */
function notSentBecause(error: unknown): AttemptFailure {
  if (error instanceof NotSent) return { kind: error.kind, message: error.message }
  return { kind: 'internal_error', message: 'The attempt failed because of an internal error. The details are in the server log.' }
}

/** Any 2xx is a success; everything else, including redirects, is a failure. */
function failureOf({ status, failure }: PostAnswer): AttemptFailure | null {
  switch (failure?.kind) {
    case 'aborted':
      return deadlinePassed
    case 'connection_failed':
      return { kind: 'connection_failed', message: 'Could not connect to the endpoint.' }
    case 'tls_failed':
      return { kind: 'tls_failed', message: `The secure connection failed: ${tlsFault(failure.detail)}.` }
    case 'response_broken':
      return { kind: 'response_broken', message: 'The connection closed before the response was complete.' }
    case undefined:
  }
  if (status !== null && status >= 200 && status < 300) return null
  const isRedirect = status !== null && status >= 300 && status < 400
  const hint = isRedirect ? ' Redirects are not followed; use the final URL.' : ''
  return { kind: 'status_not_2xx', message: `The endpoint responded with ${status}.${hint}` }
}

function tlsFault(code: string): string {
  const known: Record<string, string> = {
    CERT_HAS_EXPIRED: 'its certificate has expired',
    CERT_NOT_YET_VALID: 'its certificate is not valid yet',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
    SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain ends in an untrusted authority',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate chain is incomplete',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is from an untrusted authority',
    ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  }
  return `${known[code] ?? 'the TLS handshake failed'} (${code})`
}

/** PostgreSQL accepts no NUL in text. */
function readable(response: Uint8Array): string {
  return Buffer.from(response.buffer, response.byteOffset, response.byteLength)
    .toString('utf8')
    .replaceAll('\0', '\uFFFD')
}

const secretsCached = 1000

/** Decrypts an endpoint's secret only once, as long as its encrypted form stays the same. */
function cachingSecrets(sealer: Sealer): (endpointId: string, sealed: Uint8Array) => KeyObject {
  const opened = new Map<string, { sealed: Uint8Array; key: KeyObject }>()
  return (endpointId, sealed) => {
    const known = opened.get(endpointId)
    if (known && Buffer.compare(known.sealed, sealed) === 0) return known.key
    const key = signingKey(open(endpointId, sealed))
    if (opened.size >= secretsCached) opened.clear()
    opened.set(endpointId, { sealed, key })
    return key
  }

  function open(endpointId: string, sealed: Uint8Array): string {
    try {
      return sealer.open(sealed, endpointId)
    } catch {
      throw new NotSent(
        'secret_unreadable',
        'The signing secret cannot be decrypted: SECRET_KEY has changed since it was saved. Rotate the secret, or restore the key.',
      )
    }
  }
}
