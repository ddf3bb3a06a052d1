import type { Caller } from '../../model/caller.ts'
import { type HistoryLimits, historyLimitsDefault, type HistoryUse, type ReferenceHistoryLimits } from '../../model/history.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import {
  listHistoryUse,
  readHistoryLimits,
  readReferenceHistoryLimits,
  readStoredBytes,
  saveHistoryLimits,
  saveReferenceHistoryLimits,
} from '../../store/history/history-limits-tables.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { changesOf } from '../audit/changes.ts'
import { recordChange } from '../audit/record-action.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage } from '../pagination/list-page.ts'
import { getReference, lockExisting, type ReferencesDeps } from '../references/references.ts'
import { Refusal } from '../refusal.ts'

export interface HistorySettingsDeps extends Pick<ReferencesDeps, 'findReference'> {
  db: Db
  clock: Clock
  random: Random
  listCursors: ListCursorCodec
}

export interface HistorySettings {
  limits: HistoryLimits
  defaults: HistoryLimits
  storedBytes: number
}

export async function getHistorySettings({ db }: HistorySettingsDeps, { organizationId }: Caller): Promise<HistorySettings> {
  const limits = (await readHistoryLimits(db, organizationId)) ?? historyLimitsDefault
  return { limits, defaults: historyLimitsDefault, storedBytes: await readStoredBytes(db, organizationId) }
}

/** Takes effect with the next sweep, within a day. */
export async function changeHistorySettings(
  deps: HistorySettingsDeps,
  caller: Caller,
  changes: Partial<HistoryLimits>,
): Promise<HistorySettings> {
  requireAdmin(caller)
  const { organizationId } = caller
  await deps.db.transaction().execute(async (tx) => {
    const before = (await readHistoryLimits(tx, organizationId)) ?? historyLimitsDefault
    const after = { ...before, ...changes }
    await saveHistoryLimits(tx, { organizationId, limits: after, now: deps.clock.now() })
    await recordChange({ ...deps, tx }, caller, {
      action: 'result_history.changed',
      subject: { type: 'organization', id: organizationId, name: null },
      details: { changes: changesOf({ ...before }, { ...after }) },
    })
  })
  return getHistorySettings(deps, caller)
}

export interface ReferenceHistorySettings {
  /** As set for the reference; null: as in the organization. */
  own: ReferenceHistoryLimits
  organization: Pick<HistoryLimits, 'days' | 'count'>
}

export async function getReferenceHistorySettings(
  deps: HistorySettingsDeps,
  caller: Caller,
  shortId: string,
): Promise<ReferenceHistorySettings> {
  const { id } = await getReference(deps, caller, shortId)
  const { days, count } = (await readHistoryLimits(deps.db, caller.organizationId)) ?? historyLimitsDefault
  return { own: await readReferenceHistoryLimits(deps.db, id), organization: { days, count } }
}

/** A reference may keep less than its organization, not more. Only its owner and admins decide that. */
export async function changeReferenceHistorySettings(
  deps: HistorySettingsDeps,
  caller: Caller,
  { shortId, ...changes }: { shortId: string } & Partial<ReferenceHistoryLimits>,
): Promise<ReferenceHistorySettings> {
  await deps.db.transaction().execute(async (tx) => {
    const reference = await lockExisting(tx, caller, shortId)
    if (reference.createdBy !== caller.userId) requireAdmin(caller)
    const organization = (await readHistoryLimits(tx, caller.organizationId)) ?? historyLimitsDefault
    for (const limit of ['days', 'count'] as const) {
      if ((changes[limit] ?? 0) <= organization[limit]) continue
      throw new Refusal('invalid_request', `The organization keeps at most ${organization[limit]} ${limit === 'days' ? 'days' : 'results'}.`, [
        { path: limit, message: `must be at most ${organization[limit]}` },
      ])
    }
    const before = await readReferenceHistoryLimits(tx, reference.id)
    const after = { ...before, ...changes }
    await saveReferenceHistoryLimits(tx, { referenceId: reference.id, limits: after, now: deps.clock.now() })
    await recordChange({ ...deps, tx }, caller, {
      action: 'result_history.changed',
      subject: { type: 'reference', id: shortId, name: reference.title },
      details: { changes: changesOf({ ...before }, { ...after }) },
    })
  })
  return getReferenceHistorySettings(deps, caller, shortId)
}

/** References by the space that their kept results take, largest first. */
export function listHistoryUses(deps: HistorySettingsDeps, caller: Caller, request: PageRequest): Promise<Page<HistoryUse>> {
  const { organizationId } = caller
  return readListPage(deps, {
    place: { organizationId, list: 'use of result history' },
    request,
    read: async (page) => ({ rows: await listHistoryUse(deps.db, { organizationId, ...page }) }),
  })
}
