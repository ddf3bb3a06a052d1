import type { Schedule } from '../../api/automations.ts'
import { type Draft, newDraft } from './draft.ts'
import { type Cadence, readCadence, type PartOfDay } from './reading/cadence.ts'
import { type ReadCondition, readCondition } from './reading/condition.ts'
import { readReferences, type Titled } from './reading/references.ts'
import type { Remarks } from './reading/remarks.ts'
import { makeSentence } from './reading/sentence.ts'
import { readTimes } from './reading/time-of-day.ts'
import { readZone } from './reading/zone.ts'
import { readSchedule } from './schedule-draft.ts'

/**
 * An automation that somebody wrote as a sentence, read without a model: the queries whose titles are in it, how often and
 * when it runs, what it waits for. All that is left is the instructions. Pure, and never silent: what was taken for granted
 * and what could not be read is told beside what was understood.
 */
export interface Understanding extends Remarks {
  name: string
  instructions: string
  references: Titled[]
  schedule: Schedule | undefined
  condition: ReadCondition | undefined
}

export interface WordsContext {
  references: Titled[]
  /** Where the reader is. */
  timeZone: string
  /** All that are known. */
  timeZones: string[]
}

export function readWords(text: string, context: WordsContext): Understanding {
  const remarks: Remarks = { assumptions: [], notUnderstood: [] }
  const sentence = makeSentence(text)
  const mentions = readReferences(sentence, context.references, remarks)
  const condition = readCondition(sentence, mentions)
  const cadence = readCadence(sentence, remarks)
  const times = readTimes(sentence, cadence?.part, remarks)
  const zone = readZone(sentence, context.timeZones, remarks)
  const cron = cronOf({ cadence, times, condition }, remarks)
  if (cron === undefined && !condition) remarks.assumptions.push('No schedule is said: it runs when somebody asks.')
  if (mentions.length === 0) remarks.notUnderstood.push('No query’s title is in it: choose the queries in the form.')
  const instructions = sentence.rest()
  if (instructions === '') remarks.notUnderstood.push('What it should say is missing: write the instructions in the form.')
  return {
    name: nameOf({ cadence, condition, mentions, instructions }),
    instructions,
    references: mentions.map(({ shortId, title }) => ({ shortId, title })),
    schedule: cron === undefined ? undefined : { cron, timeZone: zone ?? context.timeZone },
    condition,
    ...remarks,
  }
}

const usual: Record<PartOfDay, number> = { morning: 8, noon: 12, afternoon: 14, evening: 18, night: 22 }

function cronOf(
  said: { cadence: Cadence | undefined; times: number[]; condition: ReadCondition | undefined },
  remarks: Remarks,
): string | undefined {
  const { times, condition } = said
  if (!said.cadence && times.length === 0) {
    if (condition) remarks.assumptions.push('How often to look is not said: a new result is asked for every hour.')
    return condition ? '0 * * * *' : undefined
  }
  if (!said.cadence) remarks.assumptions.push('The days are not said: every day is taken.')
  const cadence = said.cadence ?? { name: 'Daily', days: '* * *' }
  if ('cron' in cadence) {
    if (times.length > 0) remarks.notUnderstood.push('What comes more often than once a day has no time of the day.')
    return cadence.cron
  }
  if (times.length === 0) {
    times.push(usual[cadence.part ?? 'morning'] * 60)
    remarks.assumptions.push(`The time is not said: ${clock(times[0]!)} is taken.`)
  }
  const minute = times[0]! % 60
  const together = times.filter((time) => time % 60 === minute)
  const others = times.filter((time) => time % 60 !== minute)
  if (others.length > 0) {
    remarks.notUnderstood.push(`Several times must have the same minutes: ${others.map(clock).join(', ')} was left out.`)
  }
  return `${minute} ${together.map((time) => Math.floor(time / 60)).join(',')} ${cadence.days}`
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const longestName = 80

function nameOf(said: {
  cadence: Cadence | undefined
  condition: ReadCondition | undefined
  mentions: Titled[]
  instructions: string
}): string {
  const often = said.condition ? 'Watch' : said.cadence?.name
  const about = said.mentions[0]?.title ?? said.instructions.replace(/\.$/, '')
  const name = often === undefined ? about : about === '' ? often : `${often}: ${about}`
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1).trimEnd()}…`
}

/** The form filled with what was understood. */
export function draftFromWords(understanding: Understanding, options: { timeZone: string; agent: Draft['agent'] }): Draft {
  const { name, instructions, references, schedule, condition } = understanding
  const blank = newDraft(options.timeZone)
  return {
    ...blank,
    name,
    instructions,
    agent: options.agent,
    references: references.map(({ shortId }) => shortId),
    when: condition ? 'change' : schedule ? 'schedule' : 'hand',
    ...(schedule && { schedule: readSchedule(schedule) }),
    ...(condition && {
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
