import type { Db } from '../../../store/db.ts'
import { findEventTime } from '../../../store/webhooks/find-event-time.ts'
import { isId } from '../../ids.ts'
import type { Caller } from '../../../model/caller.ts'
import { Refusal } from '../../refusal.ts'
import type { LogSearch } from '../../../model/delivery-log.ts'

/** A log is searched by the ids that people have: from a receiver's log, a chat, or this log itself. */
export async function readSearch(deps: { db: Db }, caller: Caller, text: string): Promise<LogSearch> {
  const id = text.trim()
  const { organizationId } = caller
  const prefix = isId(id) ? id.slice(0, id.indexOf('_')) : ''
  switch (prefix) {
    case 'dlv':
      return { deliveryId: id }
    case 'evt':
      return (await findEventTime(deps.db, { organizationId, eventId: id })) ?? 'nothing'
    case 'arun':
      return (await findEventTime(deps.db, { organizationId, runId: id })) ?? 'nothing'
  }
  const message = 'must be the id of an event (evt_…), of an automation’s run (arun_…) or of a delivery (dlv_…)'
  throw new Refusal('invalid_request', `search ${message}.`, [{ path: 'search', message }])
}
