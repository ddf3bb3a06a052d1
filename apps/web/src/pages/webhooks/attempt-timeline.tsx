import type { ReactNode } from 'react'
import { type Attempt, attemptsMax, type Delivery } from '../../api/deliveries.ts'
import { RelativeTime, Time } from '../../ui/time.tsx'
import { AttemptExchange, RequestBody } from './attempt-exchange.tsx'
import { formatMs } from './health-format.ts'

/** Every attempt and its outcome, and when the next one is due. */
export function AttemptTimeline({ delivery }: { delivery: Delivery }) {
  const { attempts } = delivery
  return (
    <div className="grid grid-cols-1 gap-4">
      <ol className="grid grid-cols-1 gap-0" aria-label="Attempts">
        {attempts.map((attempt) => (
          <AttemptStep key={attempt.number} attempt={attempt} delivery={delivery} isLast={attempt === attempts.at(-1)} />
        ))}
        <Next delivery={delivery} />
      </ol>
      <RequestBody body={delivery.request.body} />
    </div>
  )
}

const mark = 'absolute top-1.5 left-0 size-2.5 rounded-full'
const step =
  'relative pb-4 pl-6 before:absolute before:top-4 before:-bottom-1 before:left-1 before:w-px before:bg-line ' +
  'last:pb-0 last:before:hidden'

function AttemptStep({ attempt, delivery, isLast }: { attempt: Attempt; delivery: Delivery; isLast: boolean }) {
  const { number, at, status, failure, durationMs } = attempt
  return (
    <li className={step}>
      <span className={`${mark} ${failure === null ? 'bg-good' : 'bg-danger'}`} aria-hidden="true" />
      <details open={isLast}>
        <summary className="cursor-pointer">
          <span className="font-medium">Attempt {number}</span>
          <span className="text-soft">
            {' '}· <Time at={at} /> · {formatMs(durationMs)}
            {status !== null && <> · <span className="tabular-nums">{status}</span></>}
          </span>
          {failure !== null && <span className="block pl-4 text-danger [overflow-wrap:anywhere]">{failure.message}</span>}
        </summary>
        <AttemptExchange attempt={attempt} url={delivery.request.url} />
      </details>
    </li>
  )
}

function Next({ delivery }: { delivery: Delivery }) {
  const { state, attemptCount, isBeingSent, isWaiting, nextAttemptAt, heldAt } = delivery
  const number = attemptCount + 1
  if (state === 'held' && heldAt !== null) {
    return (
      <Upcoming>
        Held since <Time at={heldAt} />, for up to 30 days. To deliver it, enable the endpoint and send its held events.
      </Upcoming>
    )
  }
  if (state === 'exhausted') return <Upcoming>All {attemptsMax} attempts failed. It won’t be retried automatically.</Upcoming>
  if (state !== 'pending') return null
  if (isBeingSent) return <Upcoming isBusy>Sending attempt {number}…</Upcoming>
  if (isWaiting) return <Upcoming>Waiting for an earlier event to be delivered first.</Upcoming>
  if (nextAttemptAt === null || attemptCount === 0) return <Upcoming isBusy>Attempt {number} is about to start…</Upcoming>
  return (
    <Upcoming>
      Attempt {number} of {attemptsMax} is due <RelativeTime at={nextAttemptAt} /> (<Time at={nextAttemptAt} />).
    </Upcoming>
  )
}

function Upcoming({ isBusy = false, children }: { isBusy?: boolean; children: ReactNode }) {
  return (
    <li className={step}>
      <span
        className={`${mark} border-2 ${isBusy ? 'animate-pulse border-accent' : 'border-line-strong'}`}
        aria-hidden="true"
      />
      <p className="text-soft">{children}</p>
    </li>
  )
}
