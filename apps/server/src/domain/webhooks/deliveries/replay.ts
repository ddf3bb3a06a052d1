import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Db } from '../../../store/db.ts'
import { findEndpoint, staysEnabled } from '../../../store/webhooks/endpoints-table.ts'
import { insertDeliveries } from '../../../store/webhooks/insert-deliveries.ts'
import { countReplayEvents, readReplayEvents, type ReplayRead, takeReplayLock } from '../../../store/webhooks/read-replay-events.ts'
import { auditValue } from '../../audit/changes.ts'
import { recordAction } from '../../audit/record-action.ts'
import { newOrderedId } from '../../ids.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireWebhooks } from '../../people/organization-settings.ts'
import { Refusal } from '../../refusal.ts'
import { endpointDisabled, endpointSubject, requireEndpoint } from '../endpoints/require-endpoint.ts'
import { type EventType, eventTypes } from '../../../model/event-type.ts'
import { eventResentWithinMs } from '../webhook-retention.ts'
import { type PeriodInput, readPeriod } from '../../pagination/period.ts'
import type { ReplayState } from '../../../model/delivery-log.ts'

export interface ReplayInput extends PeriodInput {
  /** Defaults to deliveries that failed. */
  states?: ReplayState[]
  eventTypes?: EventType[]
}

/** The limit of one replay. Only tests use another. */
export const replayMax = 100_000
const portion = 5000

export async function countReplay(
  deps: { db: Db; clock: Clock },
  caller: Caller,
  endpointId: string,
  input: ReplayInput,
  max = replayMax,
): Promise<{ count: number }> {
  await requireWebhooks(deps, caller)
  await requireEndpoint(caller, endpointId, (key) => findEndpoint(deps.db, key))
  const count = await countReplayEvents(deps.db, choose(endpointId, input, { max, now: deps.clock.now() }))
  if (count === 'too_many' || count > max) throw tooMany(max)
  return { count }
}

/**
 * `count` is the number the person confirmed. If more events match, nothing is sent; fewer are fine, since some may have been sent
 * in the meantime.
 */
export async function replay(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  endpointId: string,
  input: ReplayInput & { count: number },
  max = replayMax,
): Promise<{ count: number }> {
  await requireWebhooks(deps, caller)
  const { organizationId, userId } = caller
  const endpoint = await requireEndpoint(caller, endpointId, (key) => findEndpoint(deps.db, key))
  if (endpoint.state === 'disabled') throw endpointDisabled()
  const now = deps.clock.now()
  const read = choose(endpointId, input, { max, now })
  const count = await deps.db.transaction().execute(async (tx) => {
    await takeReplayLock(tx, endpointId)
    const eventIds = await readReplayEvents(tx, read)
    if (eventIds === 'too_many' || eventIds.length > max) throw tooMany(max)
    if (eventIds.length > input.count) throw countChanged(eventIds.length, input.count)
    for (let start = 0; start < eventIds.length; start += portion) {
      const deliveries = eventIds
        .slice(start, start + portion)
        .map((eventId) => ({ id: newOrderedId(deps, 'dlv'), eventId }))
      await insertDeliveries(tx, { endpointId, deliveries, isTest: false, requestedBy: userId, now })
    }
    const { states, eventTypes: types, from, to } = read
    await recordAction({ ...deps, tx }, caller, {
      action: 'webhook_endpoint.replayed',
      subject: endpointSubject(endpoint),
      details: { count: eventIds.length, states, eventTypes: types, from: auditValue(from), to: auditValue(to) },
    })
    if (!(await staysEnabled(tx, { organizationId, endpointId }))) throw endpointDisabled()
    return eventIds.length
  })
  return { count }
}

function choose(endpointId: string, input: ReplayInput, { max, now }: { max: number; now: Date }): ReplayRead {
  return {
    endpointId,
    states: input.states ?? ['exhausted'],
    eventTypes: input.eventTypes ?? [...eventTypes],
    ...readPeriod(input, '/'),
    eventsAfter: new Date(now.getTime() - eventResentWithinMs),
    // An event that was sent again has several deliveries.
    lookMax: 2 * max,
  }
}

const tooMany = (max: number) =>
  new Refusal(
    'invalid_request',
    `More than ${max} events match, the limit of one replay. Choose a shorter period.`,
    [{ path: '/from', message: 'choose a shorter period' }],
  )

const countChanged = (count: number, seen: number) =>
  new Refusal('count_changed', `${count} events match now instead of ${seen}. Check the count and confirm it.`)
