import type { EventType, Querypost } from '@querypost/client'
import { makeTaskGroup } from '@querypost/server/ports'
import type { Context } from '../command.ts'
import { forward } from './forward.ts'
import { makeListenerOutput } from './listener-output.ts'
import { saveRequest } from './save-request.ts'
import type { Target } from './target.ts'

export interface ListenOptions {
  types: EventType[] | undefined
  since: Date | undefined
  target: Target | null
  retries: number
  isPrinting: boolean
  /** A file for the latest request. */
  saveTo: string | undefined
}

/** As many as deliveries to an endpoint. While all are in progress, no more events are read. */
const maxConcurrentForwards = 8

/** Listens until it throws: when the user interrupts, or when the service rejects the connection. */
export async function listen(context: Context, client: Querypost, options: ListenOptions): Promise<never> {
  const { clock, signal } = context
  const { types, since, target, retries } = options
  const me = await client.me({ signal })
  const output = makeListenerOutput(context, { me, target: target?.url ?? null, isPrinting: options.isPrinting })
  const forwards = makeTaskGroup({ atOnce: maxConcurrentForwards })
  const counts = { events: 0, delivered: 0, failed: 0 }
  let isReady = false
  try {
    const messages = client.events.stream({
      types,
      since,
      signal,
      onReconnect: ({ error, waitMs }) => output.reconnecting(error?.message, waitMs),
    })
    for await (const message of messages) {
      if (message.kind === 'ready') {
        output.ready(message, isReady)
        isReady = true
        continue
      }
      const { kind: _kind, position: _position, ...event } = message
      const receivedAt = clock.now()
      counts.events += 1
      if (options.saveTo !== undefined) await saveRequest(options.saveTo, target, event)
      if (!target) {
        output.event(event, receivedAt, null)
        continue
      }
      await forwards.begin(async () => {
        const forwarded = await forward(context, target, event, { retries })
        if (!forwarded) return
        counts[forwarded.failure === null ? 'delivered' : 'failed'] += 1
        output.event(event, receivedAt, forwarded)
      })
    }
    throw new Error('The event stream ended unexpectedly.')
  } finally {
    await forwards.finish()
    if (isReady) output.summary(counts)
  }
}
