import { publishEvent } from '@querypost/server/background-work'
import type { AutomationRunEvent } from '@querypost/server/model'
import { secureRandom, systemClock } from '@querypost/server/ports'
import type { Store } from '@querypost/server/store'

/** Publishes events as the end of an automation run does: in a transaction, followed by a wake-up. */
export interface Publisher {
  /** The ids of the events whose commit was acknowledged. */
  readonly acknowledged: Set<string>
  /** How many transactions failed. Each may still have been committed. */
  failureCount(): number
  publish(options?: { type?: AutomationRunEvent['type']; count?: number }): Promise<void>
  /** Publishes continuously, pausing while too far ahead of the receivers. Failures are skipped. */
  keepPublishing(options: { isAhead(): boolean }): { stop(): Promise<void> }
}

const writersAtOnce = 4
const pauseMs = 20

export function makePublisher(options: { store: Store; organizationId: string }): Publisher {
  const { store, organizationId } = options
  const acknowledged = new Set<string>()
  let number = 0
  let failures = 0

  async function publishOne(type: AutomationRunEvent['type']) {
    const content = contentOf(type, number++)
    const { eventId } = await store.db
      .transaction()
      .execute((tx) => publishEvent({ tx, clock: systemClock, random: secureRandom }, { organizationId, content }))
    acknowledged.add(eventId)
    store.wakeups.wake('deliveries')
  }

  return {
    acknowledged,
    failureCount: () => failures,
    async publish({ type = 'automation.run.completed', count = 1 } = {}) {
      let left = count
      const write = async () => {
        while (left-- > 0) await publishOne(type)
      }
      await Promise.all(Array.from({ length: Math.min(count, writersAtOnce) }, write))
    },
    keepPublishing({ isAhead }) {
      let isStopped = false
      async function write() {
        while (!isStopped) {
          try {
            if (isAhead()) await systemClock.sleep(pauseMs)
            else await publishOne('automation.run.completed')
          } catch {
            failures += 1
            await systemClock.sleep(pauseMs)
          }
        }
      }
      const writers = Promise.all(Array.from({ length: writersAtOnce }, write))
      return {
        async stop() {
          isStopped = true
          await writers
        },
      }
    },
  }
}

/** Contains multi-byte characters, since a body must arrive byte for byte as stored. */
function contentOf(type: AutomationRunEvent['type'], number: number): AutomationRunEvent {
  const run = {
    // Several keys, for endpoints that receive events in order.
    automationId: `automation_faults_${number % 20}`,
    automationName: 'Umsätze — täglich',
    runId: `automation_run_${number}`,
    chatUrl: `https://querypost.test/chats/${number}`,
  }
  if (type === 'automation.run.failed') return { type, data: { ...run, reason: `Stopped by “Ada” (${number}).` } }
  return { type, data: { ...run, summary: `Revenue grew by ${number} % 📈 \u2028 since yesterday.`, imageUrl: null } }
}
