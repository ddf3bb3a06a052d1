import { alertLimits } from '../../../model/alert.ts'
import type { AutomationInFull } from '../../../model/automation.ts'
import type { Caller } from '../../../model/caller.ts'
import { lockAutomation } from '../../../store/automations/automations-table.ts'
import { type ListedAlertChange, readAlertChanges, writeSnooze } from '../../../store/automations/alert-states.ts'
import type { Db } from '../../../store/db.ts'
import { recordAction } from '../../audit/record-action.ts'
import { isId } from '../../ids.ts'
import { badInput } from '../../people/check-text.ts'
import { Refusal } from '../../refusal.ts'
import { type AutomationsDeps, getAutomation, notFound } from '../automations.ts'

/** Sends no messages until then. A null ends the snooze: if something is to be announced, it is announced at once. */
export async function snoozeAlert(
  deps: Pick<AutomationsDeps, 'db' | 'clock' | 'random'>,
  caller: Caller,
  automationId: string,
  { until }: { until: Date | null },
): Promise<AutomationInFull> {
  const now = deps.clock.now()
  const { organizationId } = caller
  if (!isId(automationId)) return notFound(automationId)
  const days = until ? (until.getTime() - now.getTime()) / (24 * 3600_000) : 1
  if (!(days > 0) || days > alertLimits.snoozeDays) throw badInput('/until', `must be a time within the next ${alertLimits.snoozeDays} days`)
  await deps.db.transaction().execute(async (tx) => {
    const automation = await lockAutomation(tx, { organizationId, automationId })
    if (!automation) return notFound(automationId)
    requireAlert(automation)
    await writeSnooze(tx, { automationId, until, now })
    const subject = { type: 'automation', id: automationId, name: automation.name } as const
    await recordAction({ ...deps, tx }, caller, { action: 'automation.snoozed', subject, details: { until: until?.toISOString() ?? null } })
  })
  return getAutomation(deps, caller, automationId)
}

const pageSize = 50

/** The changes of an alert, newest first; from before a number on. `nextBefore` is null on the last page. */
export async function listAlertChanges(
  deps: { db: Db },
  caller: Caller,
  automationId: string,
  { before }: { before?: number | undefined },
): Promise<{ items: ListedAlertChange[]; nextBefore: number | null }> {
  const { organizationId } = caller
  await getAutomation(deps, caller, automationId)
  const items = await readAlertChanges(deps.db, { organizationId, automationId, beforeNumber: before ?? null, count: pageSize + 1 })
  const page = items.slice(0, pageSize)
  return { items: page, nextBefore: items.length > pageSize ? page.at(-1)!.number : null }
}

function requireAlert({ condition }: AutomationInFull): void {
  if (condition?.kind !== 'alert') throw new Refusal('alert_not_set_up', 'The automation has no alert. Add one to its condition first.')
}
