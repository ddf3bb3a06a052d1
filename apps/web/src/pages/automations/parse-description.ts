import { findUnsupportedRequests } from '@querypost/answers'
import type { Schedule } from '../../api/automations.ts'
import { shortened } from '../../ui/shortened.ts'
import { type Draft, newDraft } from './draft.ts'
import { readAlert, type ReadAlert } from './parsing/alert.ts'
import { type Cadence, readCadence, type PartOfDay } from './parsing/cadence.ts'
import { type ReadCondition, readCondition } from './parsing/condition.ts'
import { readReferences, type Titled } from './parsing/references.ts'
import type { Remarks } from './parsing/remarks.ts'
import { makeSentence } from './parsing/sentence.ts'
import { readTargets, type TargetContext } from './parsing/targets.ts'
import { readTimes } from './parsing/time-of-day.ts'
import { readZone } from './parsing/zone.ts'
import type { ReportDraft } from './reports/report-draft.ts'
import { readSchedule } from './schedule-draft.ts'

/**
 * An automation parsed from a sentence, without a model: the queries named by title, the schedule, the condition and where reports go. The rest
 * of the sentence becomes the instructions. Pure. Every assumption and everything that can't be read or done is reported.
 */
export interface ParsedDescription extends Remarks {
  name: string
  instructions: string
  references: Titled[]
  schedule: Schedule | undefined
  condition: ReadCondition | ReadAlert | undefined
  reports: ReportDraft[]
}

export interface ParseContext extends TargetContext {
  references: Titled[]
  /** The person's own time zone. */
  timeZone: string
  /** All known time zones. */
  timeZones: string[]
}

export function parseDescription(text: string, context: ParseContext): ParsedDescription {
  const notPossible = findUnsupportedRequests(text, 'automation').requests.map(({ explanation }) => explanation)
  const remarks: Remarks = { assumptions: [], notUnderstood: [], notPossible }
  const sentence = makeSentence(text)
  const { reports, board } = readTargets(sentence, context, remarks)
  const mentions = readReferences(sentence, context.references, remarks)
  const condition = readAlert(sentence, mentions, remarks) ?? readCondition(sentence, mentions)
  const cadence = readCadence(sentence, remarks)
  const times = readTimes(sentence, cadence?.part, remarks)
  const zone = readZone(sentence, context.timeZones, remarks)
  const cron = cronOf({ cadence, times, condition }, remarks)
  if (cron === undefined && !condition) remarks.assumptions.push('No schedule given: runs manually.')
  if (mentions.length === 0 && !board) remarks.notUnderstood.push('No query title found. Choose the queries in the form.')
  const instructions = sentence.rest() || (board ? `Report on the board “${board.title}”.` : condition?.kind === 'alert' ? 'Explain why the alert fired.' : '')
  if (instructions === '') remarks.notUnderstood.push('No instructions found. Write them in the form.')
  return {
    name: nameOf({ cadence, condition, mentions, instructions }),
    instructions,
    references: mentions.map(({ shortId, title }) => ({ shortId, title })),
    schedule: cron === undefined ? undefined : { cron, timeZone: zone ?? context.timeZone },
    condition,
    reports,
    ...remarks,
  }
}

const defaultHours: Record<PartOfDay, number> = { morning: 8, noon: 12, afternoon: 14, evening: 18, night: 22 }

function cronOf(
  parts: { cadence: Cadence | undefined; times: number[]; condition: ParsedDescription['condition'] },
  remarks: Remarks,
): string | undefined {
  const { times, condition } = parts
  if (!parts.cadence && times.length === 0) {
    if (condition) remarks.assumptions.push('No schedule given: the result is refreshed every hour.')
    return condition ? '0 * * * *' : undefined
  }
  if (!parts.cadence) remarks.assumptions.push('No days given: using every day.')
  const cadence = parts.cadence ?? { name: 'Daily', days: '* * *' }
  if ('cron' in cadence) {
    if (times.length > 0) remarks.notUnderstood.push('A schedule that runs several times a day can’t have a time of day.')
    return cadence.cron
  }
  if (times.length === 0) {
    times.push(defaultHours[cadence.part ?? 'morning'] * 60)
    remarks.assumptions.push(`No time given: using ${formatTime(times[0]!)}.`)
  }
  const minute = times[0]! % 60
  const together = times.filter((time) => time % 60 === minute)
  const others = times.filter((time) => time % 60 !== minute)
  if (others.length > 0) {
    remarks.notUnderstood.push(`All times must have the same minutes. Ignored ${others.map(formatTime).join(', ')}.`)
  }
  return `${minute} ${together.map((time) => Math.floor(time / 60)).join(',')} ${cadence.days}`
}

const formatTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const maxNameLength = 80

function nameOf(parts: {
  cadence: Cadence | undefined
  condition: ParsedDescription['condition']
  mentions: Titled[]
  instructions: string
}): string {
  const often = parts.condition?.kind === 'alert' ? 'Alert' : parts.condition ? 'Watch' : parts.cadence?.name
  const about = parts.mentions[0]?.title ?? parts.instructions.replace(/\.$/, '')
  const name = often === undefined ? about : about === '' ? often : `${often}: ${about}`
  return shortened(name, maxNameLength)
}

/** The form filled in from a parsed description. */
export function draftFromDescription(parsed: ParsedDescription, options: { timeZone: string; agent: Draft['agent'] }): Draft {
  const { name, instructions, references, schedule, condition } = parsed
  const blank = newDraft(options.timeZone)
  return {
    ...blank,
    name,
    instructions,
    agent: options.agent,
    references: references.map(({ shortId }) => shortId),
    when: condition?.kind === 'alert' ? 'alert' : condition ? 'change' : schedule ? 'schedule' : 'manual',
    ...(schedule && { schedule: readSchedule(schedule) }),
    ...(condition?.kind === 'alert' && {
      alert: { ...blank.alert, reference: condition.reference, tests: condition.tests, isScheduled: schedule !== undefined },
    }),
    ...(condition && condition.kind !== 'alert' && {
      condition: {
        ...blank.condition,
        reference: condition.reference,
        kind: condition.kind,
        ...(condition.kind === 'row_count' && { comparison: condition.comparison, number: String(condition.number) }),
        isScheduled: schedule !== undefined,
      },
    }),
  }
}
