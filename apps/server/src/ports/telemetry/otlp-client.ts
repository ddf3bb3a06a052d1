import { abortAfter, type Clock } from '../clock.ts'
import type { Log } from '../log.ts'

export type ExportOutcome =
  | { kind: 'sent'; rejectedCount: number }
  /** The collector will never accept this request. */
  | { kind: 'refused'; reason: string }
  /** It may accept the request later. */
  | { kind: 'unavailable'; reason: string }

const retryableStatuses = new Set([429, 502, 503, 504])

/** Sends OTLP requests in JSON to one URL. Logs when sending begins to fail and when it works again, not every failure. */
export function makeOtlpClient(options: {
  url: string
  headers: Record<string, string>
  timeoutMs: number
  /** Aborts when the process can wait no longer. */
  closing: AbortSignal
  clock: Clock
  log: Log
}): (body: string) => Promise<ExportOutcome> {
  const { url, clock, log } = options
  const collector = new URL(url).origin
  let isFailing = false

  async function send(body: string): Promise<ExportOutcome> {
    const limit = abortAfter(clock, options.timeoutMs)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...options.headers, 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([limit.signal, options.closing]),
      })
      return judgeAnswer(response.status, await response.text())
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      return { kind: 'unavailable', reason: limit.signal.aborted ? 'timed out' : String(cause) }
    } finally {
      limit.cancel()
    }
  }

  return async function sendAndReport(body) {
    const outcome = await send(body)
    const hasFailed = outcome.kind !== 'sent'
    if (hasFailed && !isFailing) log.warn({ collector, reason: outcome.reason }, 'telemetry export failed')
    if (!hasFailed && isFailing) log.info({ collector }, 'telemetry export recovered')
    isFailing = hasFailed
    return outcome
  }
}

export function judgeAnswer(status: number, body: string): ExportOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent', rejectedCount: readRejected(body) }
  return { kind: retryableStatuses.has(status) ? 'unavailable' : 'refused', reason: `status ${status}` }
}

/** A collector may accept a request and reject some of its spans. An answer in another form rejects none. */
function readRejected(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: { rejectedSpans?: string | number } }
    return Number(partialSuccess?.rejectedSpans ?? 0) || 0
  } catch {
    return 0
  }
}
