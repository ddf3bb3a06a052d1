import type { AgentKind, AgentRunTrigger } from '../../api/automation-runs.ts'
import type { Automation, Condition } from '../../api/automations.ts'
import { describeAlert } from './describe-alert.ts'
import { describeSchedule } from './describe-schedule.ts'

/** Labels for the fields of automations and their runs. */
export const triggerLabels: Record<AgentRunTrigger, string> = {
  schedule: 'Scheduled run',
  condition: 'Condition met',
  person: 'Manual run',
  api: 'API run',
  question: 'Question',
  evaluation: 'Evaluation',
}

export const agentLabels: Record<AgentKind, string> = {
  digest: 'Digest: reports the figures and what changed since the last run',
  model: 'Model: follows your instructions, using your organization’s AI model',
}

/** `title`: of the reference in the condition. */
export function describeCondition(condition: Condition, title: string): string {
  if (condition.kind === 'alert') return describeAlert(condition, title)
  if (condition.kind === 'changed') return `When the result of “${title}” changes`
  const what = condition.kind === 'row_count' ? 'number of rows' : `value of ${condition.column}`
  const limit = `${condition.comparison} ${condition.number}`
  if (condition.everyTime) {
    return `Every new result of “${title}” ${condition.kind === 'row_count' ? `whose ${what} is` : `with a ${what}`} ${limit}`
  }
  return `When ${condition.kind === 'row_count' ? 'the' : 'a'} ${what} in “${title}” becomes ${limit}`
}

/** When the automation runs, for a list. */
export function describeTrigger({ schedule, condition }: Pick<Automation, 'schedule' | 'condition'>): string {
  const what = condition?.kind === 'alert' ? 'Alert' : 'On a condition'
  if (condition) return schedule ? `${what}, checked: ${describeSchedule(schedule)}` : what
  return schedule ? describeSchedule(schedule) : 'Manually'
}
