import type { Clock } from '../../../ports/clock.ts'
import type { Db } from '../../../store/db.ts'
import { readBeginning, readSnapshot } from '../../../store/webhooks/begin-listening.ts'
import { Refusal } from '../../refusal.ts'
import { eventResentWithinMs } from '../webhook-retention.ts'
import { beforeFirstEvent, emptySnapshot } from './position.ts'
import type { Position, Stretch } from '../../../model/event-position.ts'

/** Where a listener starts, and the stretches of past events that it receives before it waits for news. */
export interface Start {
  position: Position
  past: Omit<Stretch, 'seen'>[]
  /** Events since its last position are, or may be, no longer available. */
  hasMissedEvents: boolean
}

export interface StartRequest {
  /** The position of the last frame received; 'unknown' if it is not of this organization and database. */
  last?: Position | 'unknown'
  since?: Date
}

export const resentWithinMs = 3600_000

export async function findStart(deps: { db: Db; clock: Clock }, organizationId: string, request: StartRequest): Promise<Start> {
  const { db, clock } = deps
  const { last, since } = request
  if (last !== undefined && last !== 'unknown') {
    const notBefore = new Date(clock.now().getTime() - resentWithinMs)
    const seen = last.rest?.upTo ?? last.seen
    const { snapshot, isKnown, hasOlder } = await readBeginning(db, { organizationId, seen, notBefore })
    if (!isKnown) return { position: { seen: snapshot }, past: [], hasMissedEvents: true }
    const missed = { upTo: snapshot, after: beforeFirstEvent, notBefore: notBefore.toISOString() }
    return { position: last, past: [...(last.rest ? [last.rest] : []), missed], hasMissedEvents: hasOlder }
  }
  const upTo = await readSnapshot(db)
  if (since === undefined || last === 'unknown') {
    return { position: { seen: upTo }, past: [], hasMissedEvents: last === 'unknown' }
  }
  const rest = { upTo, after: beforeFirstEvent, notBefore: since.toISOString() }
  return { position: { seen: emptySnapshot, rest }, past: [rest], hasMissedEvents: false }
}

/** A time whose format the schema has already checked. */
export function readSince(text: string, now: Date): Date {
  const since = new Date(text)
  const isTooOld = now.getTime() - since.getTime() > eventResentWithinMs
  if (!Number.isNaN(since.getTime()) && !isTooOld) return since
  const message = 'must be a time within the last 28 days, such as 2026-01-31T09:00:00Z'
  throw new Refusal('invalid_request', `since ${message}.`, [{ path: 'since', message }])
}
