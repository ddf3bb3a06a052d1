import type { Automation, AutomationContent, Comparison, Condition } from '../../api/automations.ts'
import { alertOf, type AlertDraft, newAlert, toAlertDraft } from './alert-draft.ts'
import { shortened } from '../../ui/shortened.ts'
import { newSchedule, readSchedule, type ScheduleDraft, scheduleOf } from './schedule-draft.ts'

/** An automation as its form holds it. Values of unselected options are kept, so switching back and forth loses nothing. */
export interface Draft {
  name: string
  instructions: string
  agent: AutomationContent['agent']
  /** shortIds. */
  references: string[]
  when: 'manual' | 'schedule' | 'change' | 'alert'
  schedule: ScheduleDraft
  condition: ConditionDraft
  alert: AlertDraft
  enabled: boolean
  strict: boolean
}

/** A condition that starts runs and has no state. */
export type RunCondition = Exclude<Condition, { kind: 'alert' }>

export interface ConditionDraft {
  /** The shortId of the watched reference, if one is chosen. */
  reference: string | undefined
  kind: RunCondition['kind']
  column: string
  comparison: Comparison
  /** As typed. */
  number: string
  everyTime: boolean
  /** Whether the schedule refreshes the result. If not, only results of other people's runs are checked. */
  isScheduled: boolean
}

const newCondition: ConditionDraft = {
  reference: undefined,
  kind: 'row_count',
  column: '',
  comparison: '>',
  number: '0',
  everyTime: false,
  isScheduled: true,
}

export const newDraft = (timeZone: string): Draft => ({
  name: '',
  instructions: '',
  agent: 'digest',
  references: [],
  when: 'schedule',
  schedule: newSchedule(timeZone),
  condition: newCondition,
  alert: newAlert,
  enabled: true,
  strict: false,
})

const maxNameLength = 80

/** The form to ask a question again on a schedule. */
export function draftFromQuestion(
  asked: { question: string; reference: string | null },
  options: { timeZone: string; agent: Draft['agent'] },
): Draft {
  const blank = newDraft(options.timeZone)
  const line = asked.question.trim().split('\n')[0]!
  return {
    ...blank,
    name: shortened(line, maxNameLength),
    instructions: asked.question.trim(),
    agent: options.agent,
    references: asked.reference === null ? [] : [asked.reference],
  }
}

export function toDraft(automation: Automation, timeZone: string): Draft {
  const { name, instructions, agent, references, schedule, condition, enabled, strict } = automation
  return {
    name,
    instructions,
    agent,
    references,
    when: condition?.kind === 'alert' ? 'alert' : condition ? 'change' : schedule ? 'schedule' : 'manual',
    schedule: schedule ? readSchedule(schedule) : newSchedule(timeZone),
    alert: condition?.kind === 'alert' ? toAlertDraft(condition, schedule !== null) : newAlert,
    condition: condition && condition.kind !== 'alert' ? { ...readCondition(condition), isScheduled: schedule !== null } : newCondition,
    enabled,
    strict,
  }
}

function readCondition(condition: RunCondition): ConditionDraft {
  const { kind, reference, everyTime = false } = condition
  return {
    ...newCondition,
    kind,
    reference,
    everyTime,
    ...(kind === 'value' && { column: condition.column }),
    ...(kind !== 'changed' && { comparison: condition.comparison, number: String(condition.number) }),
  }
}

/** The request body. The service validates it, so the form doesn't repeat its rules. */
export function toAutomationContent(draft: Draft): AutomationContent {
  const { name, instructions, agent, references, when, enabled, strict } = draft
  const isScheduled = when === 'schedule' || (when === 'change' && draft.condition.isScheduled) || (when === 'alert' && draft.alert.isScheduled)
  return {
    name: name.trim(),
    instructions: instructions.trim(),
    agent,
    references,
    schedule: isScheduled ? scheduleOf(draft.schedule) : null,
    condition: when === 'change' ? conditionOf(draft.condition) : when === 'alert' ? alertOf(draft.alert) : null,
    enabled,
    strict,
  }
}

export function conditionOf({ reference, kind, column, comparison, number, everyTime }: ConditionDraft): Condition {
  const base = { reference: reference ?? '', everyTime }
  if (kind === 'changed') return { ...base, kind }
  // NaN becomes null in JSON, which the service rejects with an error for this field.
  const figure = number.trim() === '' ? Number.NaN : Number(number)
  const compared = { ...base, comparison, number: figure }
  return kind === 'value' ? { ...compared, kind, column: column.trim() } : { ...compared, kind }
}
