import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import {
  type AutomationContent,
  findAutomation,
  insertAutomation,
  lockAutomation,
  markAutomationDeleted,
  readAutomationsPage,
  updateAutomation,
} from '../../store/automations/automations-table.ts'
import { readPublishedAutomationsPage } from '../../store/automations/read-published-automations-page.ts'
import type { Db } from '../../store/db.ts'
import type { AgentKind } from '../../model/agent-run.ts'
import { auditValue, changesOf } from '../audit/changes.ts'
import { recordAction, recordChange, type RecordDeps } from '../audit/record-action.ts'
import { type BasedOn, contentVersion, requireVersion } from '../content-version.ts'
import { isId, newId } from '../ids.ts'
import { requireUnmanaged } from '../managed/managed-items.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Caller } from '../../model/caller.ts'
import { readListPage } from '../pagination/list-page.ts'
import { type PageDeps, readPage } from '../pagination/page.ts'
import { Refusal } from '../refusal.ts'
import type { AlertState } from '../../model/alert.ts'
import type { AutomationInFull, Condition, Schedule } from '../../model/automation.ts'
import {
  checkCondition,
  checkInstructions,
  checkName,
  checkReferences,
  type ConditionInput,
  requireReferences,
} from './check-automation.ts'
import { checkSchedule } from './check-schedule.ts'
import { lookUpCondition, lookUpReferences, requireModel } from './look-up.ts'
import { nextDueAt } from './schedule.ts'

export interface AutomationsDeps {
  db: Db
  clock: Clock
  random: Random
  listCursors: ListCursorCodec
}

export interface AutomationInput {
  name: string
  instructions: string
  /** shortIds */
  references: string[]
  schedule?: Schedule | null
  condition?: ConditionInput | null
  agent?: AgentKind
  enabled?: boolean
  strict?: boolean
}

export async function listAutomations(
  deps: Pick<AutomationsDeps, 'db' | 'clock' | 'listCursors'>,
  caller: Caller,
  request: PageRequest,
): Promise<Page<AutomationInFull>> {
  const { organizationId } = caller
  return readListPage(deps, {
    place: { organizationId, list: 'automations' },
    request,
    read: async (page) => ({ rows: await readAutomationsPage(deps.db, { organizationId, ...page }) }),
  })
}

/** Newest first; all pages show the moment of the first. */
export function listPublishedAutomations(
  deps: PageDeps & { db: Db },
  caller: Caller,
  request: PageRequest,
): Promise<Page<AutomationInFull>> {
  return readPage(deps, { caller, list: 'automations', request, read: (page) => readPublishedAutomationsPage(deps.db, page) })
}

export async function getAutomation(deps: { db: Db }, caller: Caller, automationId: string): Promise<AutomationInFull> {
  const { organizationId } = caller
  const found = isId(automationId) ? await findAutomation(deps.db, { organizationId, automationId }) : undefined
  return found ?? notFound(automationId)
}

export async function createAutomation(
  deps: AutomationsDeps,
  caller: Caller,
  input: AutomationInput,
): Promise<AutomationInFull> {
  const { organizationId, userId } = caller
  const now = deps.clock.now()
  const agent = input.agent ?? 'digest'
  const enabled = input.enabled ?? true
  const strict = input.strict ?? false
  const text = { name: checkName(input.name), instructions: checkInstructions(input.instructions) }
  const references = checkReferences(input.references)
  const schedule = input.schedule ? checkSchedule(input.schedule, { path: '/schedule', now }) : null
  const condition = input.condition ? checkCondition(input.condition) : null
  requireReferences(agent, references)
  const id = newId(deps.random, 'automation')
  await deps.db.transaction().execute(async (tx) => {
    if (agent === 'model') await requireModel(tx, caller)
    await insertAutomation(tx, {
      id,
      organizationId,
      ...text,
      agent,
      enabled,
      strict,
      schedule,
      nextDueAt: enabled && schedule ? nextDueAt(schedule, now) : null,
      condition: condition && (await lookUpCondition(tx, caller, condition)),
      referenceIds: await lookUpReferences(tx, caller, references),
      createdBy: userId,
      now,
    })
    const subject = { type: 'automation', id, name: text.name } as const
    const details = { agent, enabled, strict, references, schedule: auditValue(schedule), condition: auditValue(condition) }
    await recordAction({ ...deps, tx }, caller, { action: 'automation.created', subject, details })
  })
  return getAutomation(deps, caller, id)
}

/** Omitted fields stay as they are. A null schedule or condition is removed. */
export async function editAutomation(
  deps: AutomationsDeps,
  caller: Caller,
  automationId: string,
  input: Partial<AutomationInput>,
  basedOn: BasedOn = {},
): Promise<AutomationInFull> {
  const { organizationId } = caller
  const now = deps.clock.now()
  if (!isId(automationId)) return notFound(automationId)
  const { enabled, strict, agent } = input
  const content: Partial<AutomationContent> = {
    ...(input.name !== undefined && { name: checkName(input.name) }),
    ...(input.instructions !== undefined && { instructions: checkInstructions(input.instructions) }),
    ...(enabled !== undefined && { enabled }),
    ...(strict !== undefined && { strict }),
    ...(agent && { agent }),
  }
  const references = input.references && checkReferences(input.references)
  const schedule = input.schedule && checkSchedule(input.schedule, { path: '/schedule', now })
  const condition = input.condition && checkCondition(input.condition)
  await deps.db.transaction().execute(async (tx) => {
    const before = await lockAutomation(tx, { organizationId, automationId })
    if (!before) return notFound(automationId)
    requireVersion('automation', { current: automationVersion(before), basedOn })
    await requireUnmanaged(tx, caller, { kind: 'automation', id: automationId })
    // All its references may have been deleted; that alone must not prevent renaming it.
    if (references || agent) requireReferences(agent ?? before.agent, references ?? before.references)
    if (agent === 'model' && before.agent !== 'model') await requireModel(tx, caller)
    if (condition !== undefined && !isDeepStrictEqual(condition, before.condition)) {
      content.condition = condition && (await lookUpCondition(tx, caller, condition))
      content.alertState = keptAlertState(before, condition)
    }
    if (references) content.referenceIds = await lookUpReferences(tx, caller, references)
    await updateAutomation(tx, automationId, { ...content, ...dueTime(before, { enabled, schedule, now }), now })
    await recordEdit({ ...deps, tx }, caller, before)
  })
  return getAutomation(deps, caller, automationId)
}

/** Its runs and their chats stay, and an active run finishes. */
export async function deleteAutomation(
  deps: Pick<AutomationsDeps, 'db' | 'clock' | 'random'>,
  caller: Caller,
  automationId: string,
  basedOn: BasedOn = {},
): Promise<void> {
  const key = { organizationId: caller.organizationId, automationId }
  if (!isId(automationId)) return notFound(automationId)
  await deps.db.transaction().execute(async (tx) => {
    const automation = await lockAutomation(tx, key)
    if (!automation) return notFound(automationId)
    requireVersion('automation', { current: automationVersion(automation), basedOn })
    await requireUnmanaged(tx, caller, { kind: 'automation', id: automationId })
    await markAutomationDeleted(tx, key, deps.clock.now())
    await recordAction({ ...deps, tx }, caller, { action: 'automation.deleted', subject: subjectOf(automation) })
  })
}

export const automationVersion = (automation: AutomationInFull) => {
  const { name, instructions, agent, strict, enabled, references, schedule, condition } = automation
  return contentVersion({ name, instructions, agent, strict, enabled, references, schedule, condition })
}

/** Enabling or disabling is recorded as a separate action, in addition to other changes. */
async function recordEdit(deps: RecordDeps, caller: Caller, before: AutomationInFull): Promise<void> {
  const { organizationId, id: automationId } = before
  const { name, instructions, agent, strict, references, schedule, condition, enabled } = (await findAutomation(deps.tx, {
    organizationId,
    automationId,
  }))!
  const subject = subjectOf(before)
  const changes = changesOf(before, { name, instructions, agent, strict, references, schedule, condition })
  await recordChange(deps, caller, { action: 'automation.changed', subject, details: { changes } })
  if (enabled === before.enabled) return
  await recordAction(deps, caller, { action: enabled ? 'automation.enabled' : 'automation.disabled', subject })
}

const subjectOf = ({ id, name }: AutomationInFull) => ({ type: 'automation', id, name }) as const

/**
 * A changed alert keeps its state, so that people who know that it fires also learn when it no longer does. Only what its tests
 * remember of earlier results is lost.
 */
function keptAlertState({ condition: before, alertState }: AutomationInFull, after: Condition | null): AlertState | null {
  if (!alertState || before?.kind !== 'alert' || after?.kind !== 'alert' || before.reference !== after.reference) return null
  return { ...alertState, tests: after.tests.map(() => ({ isFiring: false, metCount: 0 })) }
}

/**
 * Computed again when the schedule changes or a paused automation resumes: times that passed while it was paused do not count as
 * missed.
 */
function dueTime(
  before: AutomationInFull,
  change: { enabled: boolean | undefined; schedule: Schedule | null | undefined; now: Date },
): Pick<Partial<AutomationContent>, 'schedule' | 'nextDueAt'> {
  const enabled = change.enabled ?? before.enabled
  const schedule = change.schedule === undefined ? before.schedule : change.schedule
  if (enabled === before.enabled && isDeepStrictEqual(schedule, before.schedule)) return {}
  return { schedule, nextDueAt: enabled && schedule ? nextDueAt(schedule, change.now) : null }
}

export function notFound(automationId: string): never {
  throw new Refusal(
    'automation_not_found',
    `There is no automation ${JSON.stringify(automationId.slice(0, 100))}. It may have been deleted.`,
  )
}
