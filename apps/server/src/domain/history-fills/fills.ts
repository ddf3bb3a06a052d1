import type { Caller } from '../../model/caller.ts'
import { fillDaysMax, type HistoryFill } from '../../model/history-fill.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findLatestFill, insertFill, readFilledDays, stopFillOf } from '../../store/history/history-fills.ts'
import type { FindReference } from '../../store/references/references-table.ts'
import { newId } from '../ids.ts'
import { badInput } from '../people/check-text.ts'
import { getReference, requireReferenceEdit } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import { dateParametersOf, daysToFill } from './plan-fill.ts'

export interface FillDeps {
  db: Db
  clock: Clock
  random: Random
  findReference: FindReference
}

const dayMs = 24 * 3600_000

/** Requests that a query is run once for each of the last days that its history does not have. */
export async function startFill(
  deps: FillDeps,
  caller: Caller,
  shortId: string,
  { parameter, days: count }: { parameter: string; days: number },
): Promise<HistoryFill> {
  const { organizationId, userId: requestedBy } = caller
  const { id: referenceId, parameters } = await getReference(deps, caller, shortId)
  await requireReferenceEdit(deps.db, caller, referenceId)
  if (!dateParametersOf(parameters).includes(parameter)) {
    throw new Refusal('history_fill_not_possible', `The query has no parameter ${JSON.stringify(parameter)} of type date or timestamp.`)
  }
  if (count < 1 || count > fillDaysMax) throw badInput('/days', `must be from 1 to ${fillDaysMax}`)
  const now = deps.clock.now()
  const key = { organizationId, referenceId }
  const filled = await readFilledDays(deps.db, { ...key, from: new Date(now.getTime() - (count + 1) * dayMs) })
  const days = daysToFill({ now, count, filled })
  if (days.length === 0) throw new Refusal('history_fill_not_needed', 'There is a result for each of these days already.')
  const fill = { ...key, id: newId(deps.random, 'fill'), parameter, days, requestedBy, now }
  if (!(await deps.db.transaction().execute((tx) => insertFill(tx, fill)))) {
    throw new Refusal('history_fill_running', 'The history of this query is being filled already. Wait until that has ended, or stop it.')
  }
  return (await findLatestFill(deps.db, key))!
}

/** Stops filling. Results that are there stay. Stopping twice succeeds. */
export async function stopFill(deps: FillDeps, caller: Caller, shortId: string): Promise<void> {
  const { id: referenceId } = await getReference(deps, caller, shortId)
  await requireReferenceEdit(deps.db, caller, referenceId)
  await stopFillOf(deps.db, { organizationId: caller.organizationId, referenceId })
}
