import { abortAfter, type Clock } from '@querypost/server/ports'
import { whyNotAnswered, whyRefused } from './failure-words.ts'
import { post } from './post.ts'
import type { Target } from './target.ts'

/** What came of forwarding an event. */
export interface Forwarded {
  /** Null when there was no answer. */
  status: number | null
  durationMs: number
  attempts: number
  /** What is wrong, in words; null for a success. */
  failure: string | null
}

/** As for a delivery. */
export const deadlineMs = 10_000
/** The real thing makes eight attempts, over 36 hours. Within a minute and a half, a signature is still fresh. */
export const retriesMax = 7
const firstWaitMs = 1000
const longestWaitMs = 30_000

/** Undefined when the person interrupted before its end. */
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

/** Any 2xx is a success. Everything else is a failure, redirects too. */
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
    return { status: answer.status, durationMs: durationMs(), failure: isSuccess ? null : whyRefused(answer) }
  } catch (error) {
    const failure = deadline.signal.aborted
      ? `there was no whole answer within ${deadlineMs / 1000} seconds, which is as long as a delivery waits`
      : whyNotAnswered(error, url)
    return { status: null, durationMs: durationMs(), failure }
  } finally {
    deadline.cancel()
  }
}
