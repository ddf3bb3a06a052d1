import { abortAfter, type Clock } from '@querypost/server/ports'
import { describeNoResponse, describeRejection } from './describe-failure.ts'
import { post } from './post.ts'
import type { Target } from './target.ts'

/** The outcome of forwarding an event. */
export interface Forwarded {
  /** Null when there was no response. */
  status: number | null
  durationMs: number
  attempts: number
  /** Null for a success. */
  failure: string | null
}

/** The same as for a delivery. */
export const deadlineMs = 10_000
/** A delivery makes eight attempts over 36 hours. These retries take a minute and a half, while the signature is still valid. */
export const retriesMax = 7
const firstWaitMs = 1000
const longestWaitMs = 30_000

/** Forwards an event. Resolves with undefined when the user interrupts. */
export async function forward(
  context: { clock: Clock; signal: AbortSignal },
  target: Target,
  event: { headers: Record<string, string>; body: string },
  { retries }: { retries: number },
): Promise<Forwarded | undefined> {
  const { clock, signal } = context
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt(context, target, event)
    if (signal.aborted) return undefined
    if (outcome.failure === null || attempts > retries) return { ...outcome, attempts }
    await clock.sleep(Math.min(firstWaitMs * 2 ** (attempts - 1), longestWaitMs), signal)
    if (signal.aborted) return undefined
  }
}

/** Any 2xx is a success. Everything else is a failure, including redirects. */
async function attempt(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  { url, headers }: Target,
  event: { headers: Record<string, string>; body: string },
): Promise<Omit<Forwarded, 'attempts'>> {
  const startedMs = clock.monotonicMs()
  const durationMs = () => Math.round(clock.monotonicMs() - startedMs)
  const deadline = abortAfter(clock, deadlineMs)
  try {
    const answer = await post({
      url,
      headers: { ...event.headers, ...headers },
      body: Buffer.from(event.body),
      signal: AbortSignal.any([deadline.signal, signal]),
    })
    const isSuccess = answer.status >= 200 && answer.status < 300
    return { status: answer.status, durationMs: durationMs(), failure: isSuccess ? null : describeRejection(answer) }
  } catch (error) {
    const failure = deadline.signal.aborted
      ? `no complete response within ${deadlineMs / 1000} seconds, the time limit of a delivery`
      : describeNoResponse(error, url)
    return { status: null, durationMs: durationMs(), failure }
  } finally {
    deadline.cancel()
  }
}
