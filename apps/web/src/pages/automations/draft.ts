import type { Automation, AutomationContent, Comparison, Condition } from '../../api/automations.ts'
import { newSchedule, readSchedule, type ScheduleDraft, scheduleOf } from './schedule-draft.ts'

/**
 * An automation as its form holds it. What belongs to a choice that is not taken is kept, so that going back loses
 * nothing.
 */
export interface Draft {
  name: string
  instructions: string
  agent: AutomationContent['agent']
  /** shortIds. */
  references: string[]
  when: 'hand' | 'schedule' | 'change'
  schedule: ScheduleDraft
  condition: ConditionDraft
  enabled: boolean
}

export interface ConditionDraft {
  /** The shortId of the watched reference, if one is chosen. */
  reference: string | undefined
  kind: Condition['kind']
  column: string
  comparison: Comparison
  /** As typed. */
  number: string
  everyTime: boolean
  /** Whether the schedule asks for new results to judge; otherwise only those are judged that somebody else asks for. */
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
  enabled: true,
})

export function draftOf(automation: Automation, timeZone: string): Draft {
  const { name, instructions, agent, references, schedule, condition, enabled } = automation
  return {
    name,
    instructions,
    agent,
    references,
    when: condition ? 'change' : schedule ? 'schedule' : 'hand',
    schedule: schedule ? readSchedule(schedule) : newSchedule(timeZone),
    condition: condition ? { ...readCondition(condition), isScheduled: schedule !== null } : newCondition,
    enabled,
  }
}

function readCondition(condition: Condition): ConditionDraft {
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

/** What is sent. The service judges it; its words are better than ours. */
export function contentOf(draft: Draft): AutomationContent {
  const { name, instructions, agent, references, when, enabled } = draft
  const isScheduled = when === 'schedule' || (when === 'change' && draft.condition.isScheduled)
  return {
    name: name.trim(),
    instructions: instructions.trim(),
    agent,
    references,
    schedule: isScheduled ? scheduleOf(draft.schedule) : null,
    condition: when === 'change' ? conditionOf(draft.condition) : null,
    enabled,
  }
}

function conditionOf({ reference, kind, column, comparison, number, everyTime }: ConditionDraft): Condition {
  const base = { reference: reference ?? '', everyTime }
  if (kind === 'changed') return { ...base, kind }
  // Nothing, and what is no number, arrive as null, and are refused as such.
  const figure = number.trim() === '' ? Number.NaN : Number(number)
  const compared = { ...base, comparison, number: figure }
  return kind === 'value' ? { ...compared, kind, column: column.trim() } : { ...compared, kind }
}
