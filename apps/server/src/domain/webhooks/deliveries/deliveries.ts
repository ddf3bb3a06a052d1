import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Db } from '../../../store/db.ts'
import { findDelivery, type FoundDelivery, readDeliveriesLog } from '../../../store/webhooks/deliveries-log.ts'
import { findEndpoint, staysEnabled } from '../../../store/webhooks/endpoints-table.ts'
import { insertDeliveries } from '../../../store/webhooks/insert-deliveries.ts'
import { redactUrl } from '../../audit/changes.ts'
import { recordAction } from '../../audit/record-action.ts'
import { isId, newOrderedId } from '../../ids.ts'
import type { Page, PageRequest } from '../../../model/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ListCursorCodec } from '../../pagination/list-cursor.ts'
import { readListPage } from '../../pagination/list-page.ts'
import { requireWebhooks } from '../../people/organization-settings.ts'
import { Refusal } from '../../refusal.ts'
import { endpointDisabled, requireEndpoint } from '../endpoints/require-endpoint.ts'
import { eventResentWithinMs } from '../webhook-retention.ts'
import { headersAsSigned, headersOfEvent, plainHeaders } from '../signing.ts'
import type { DeliveryInFull, LogFilter, LoggedDelivery } from '../../../model/delivery-log.ts'
import { logPlace } from './log-cursor.ts'
import { type PeriodInput, readPeriod } from '../../pagination/period.ts'
import { readSearch } from './search-deliveries.ts'

interface ReadDeps {
  db: Db
  clock: Clock
}

/** A filtered page may be short or even empty and still have a next page, because each request scans a bounded part of the log. */
export async function listDeliveries(
  deps: ReadDeps & { logCursors: ListCursorCodec },
  caller: Caller,
  endpointId: string,
  request: PageRequest & Pick<LogFilter, 'state' | 'eventType'> & PeriodInput & { search?: string },
): Promise<Page<LoggedDelivery>> {
  await requireWebhooks(deps, caller)
  const { organizationId } = caller
  await requireEndpoint(caller, endpointId, (key) => findEndpoint(deps.db, key))
  const { state, eventType, search } = request
  const filter: LogFilter = {
    ...(state && { state }),
    ...(eventType && { eventType }),
    ...readPeriod(request, ''),
    ...(search !== undefined && { found: await readSearch(deps, caller, search) }),
  }
  return readListPage(
    { clock: deps.clock, listCursors: deps.logCursors },
    {
      place: logPlace({ organizationId, endpointId, filter }),
      request,
      read: (page) => readDeliveriesLog(deps.db, { endpointId, filter, ...page, now: deps.clock.now() }),
    },
  )
}

export async function getDelivery(deps: ReadDeps, caller: Caller, deliveryId: string): Promise<DeliveryInFull> {
  await requireWebhooks(deps, caller)
  return getDeliveryInFull(deps, caller, deliveryId)
}

/** Does not check permissions: for callers that have. */
export async function getDeliveryInFull(deps: ReadDeps, caller: Caller, deliveryId: string): Promise<DeliveryInFull> {
  return inFull(await find(deps, caller, deliveryId))
}

function inFull({ url, body, endpointState: _, eventCreatedAt: __, ...delivery }: FoundDelivery): DeliveryInFull {
  const { eventId } = delivery
  const attempts = delivery.attempts.map(({ signed, ...attempt }) => ({
    ...attempt,
    requestHeaders: signed ? { ...plainHeaders, ...headersAsSigned(eventId, signed) } : null,
  }))
  return { ...delivery, attempts, request: { url, headers: headersOfEvent(eventId), body } }
}

async function find(deps: ReadDeps, caller: Caller, deliveryId: string): Promise<FoundDelivery> {
  const { organizationId } = caller
  const found = isId(deliveryId)
    ? await findDelivery(deps.db, { organizationId, deliveryId, now: deps.clock.now() })
    : undefined
  if (!found) {
    throw new Refusal(
      'delivery_not_found',
      `There is no delivery ${JSON.stringify(deliveryId)}, or it is older than the log. Check the endpoint’s log.`,
    )
  }
  return found
}

/** Sends the same event to the same endpoint again, as a new delivery with its own attempts. */
export async function resendDelivery(
  deps: ReadDeps & { random: Random },
  caller: Caller,
  deliveryId: string,
): Promise<DeliveryInFull> {
  await requireWebhooks(deps, caller)
  const delivery = await find(deps, caller, deliveryId)
  if (delivery.endpointState === 'disabled') throw endpointDisabled()
  const now = deps.clock.now()
  if (now.getTime() - delivery.eventCreatedAt.getTime() >= eventResentWithinMs) {
    throw new Refusal('event_expired', 'This event is older than 28 days and cannot be sent again.')
  }
  const id = newOrderedId(deps, 'dlv')
  const { endpointId, eventId, isTest } = delivery
  await deps.db.transaction().execute(async (tx) => {
    const deliveries = [{ id, eventId }]
    await insertDeliveries(tx, { endpointId, deliveries, isTest, requestedBy: caller.userId, now })
    await recordAction({ ...deps, tx }, caller, {
      action: 'delivery.resent',
      subject: { type: 'delivery', id: deliveryId, name: redactUrl(delivery.url) },
      details: { endpointId, eventId, deliveryId: id },
    })
    if (!(await staysEnabled(tx, { organizationId: caller.organizationId, endpointId }))) throw endpointDisabled()
  })
  return getDeliveryInFull(deps, caller, id)
}
