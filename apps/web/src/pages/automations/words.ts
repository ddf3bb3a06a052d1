import type { AgentKind, AgentRunTrigger } from '../../api/automation-runs.ts'
import type { Automation, Condition } from '../../api/automations.ts'
import { scheduleWords } from './schedule-words.ts'

/** What the fields of automations and their runs mean, in words. */
export const triggerWords: Record<AgentRunTrigger, string> = {
  schedule: 'By schedule',
  condition: 'On change',
  person: 'By hand',
  api: 'By a program',
  question: 'Asked',
}

export const agentWords: Record<AgentKind, string> = {
  digest: 'Digest: states the figures and what changed since the last run',
  model: 'Model: follows the instructions with the model that your organization has set up',
}

/** `title` is that of the reference it speaks about. */
export function conditionWords(condition: Condition, title: string): string {
  const often = condition.everyTime ? 'every time' : 'as soon as'
  if (condition.kind === 'changed') return `When the result of “${title}” has changed`
  const what = condition.kind === 'row_count' ? 'its number of rows' : `a value of ${condition.column}`
  return `Whenever “${title}” has a new result, ${often} ${what} is ${condition.comparison} ${condition.number}`
}

/** When it comes by itself, if ever; for a list. */
export function whenWords({ schedule, condition }: Pick<Automation, 'schedule' | 'condition'>): string {
  if (condition) return schedule ? `On change, looked at: ${scheduleWords(schedule)}` : 'On change'
  return schedule ? scheduleWords(schedule) : 'When somebody asks'
}
