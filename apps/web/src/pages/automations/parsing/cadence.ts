import { inOrder } from '../schedule-draft.ts'
import type { Remarks } from './remarks.ts'
import type { Sentence, Span } from './sentence.ts'

/**
 * How often an automation runs: the last three fields of a cron expression if it runs at a time of day, or all five if it runs
 * several times a day.
 */
export type Cadence = { name: string; part?: PartOfDay } & ({ days: string } | { cron: string })

export type PartOfDay = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'

const dayName = String.raw`(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?s?`
const dayPlural = String.raw`(?:mon|tues|wednes|thurs|fri|satur|sun)days`
const listed = (day: string) => String.raw`${day}(?:\s*(?:,|&|,?\s+and)\s*${day})*`
const part = String.raw`(?:\s+(morning|afternoon|evening|night)s?)?`
const each = String.raw`(?:every|each)\s+(?:single\s+)?`
const ofMonth = String.raw`\s+of\s+(?:the|every|each)\s+month`
const nth = String.raw`(first|second|third|fourth|last|1st|2nd|3rd|4th)`
const date = String.raw`(first|last|\d{1,2})(?:st|nd|rd|th)?(?:\s+day)?`

const dayNumbers = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const dayNumber = (name: string) => dayNumbers.indexOf(name.slice(0, 3).toLowerCase())
const daysIn = (list: string) => inOrder((list.match(new RegExp(dayName, 'gi')) ?? []).map(dayNumber))
const nths: Record<string, string> = { first: '1', second: '2', third: '3', fourth: '4', last: 'L' }
const partOf = (word: string | undefined) => word && { part: word.toLowerCase() as PartOfDay }

interface Rule {
  pattern: string
  /** Undefined if there is no such schedule; the remarks say why. */
  read(groups: Span['groups'], remarks: Remarks, words: string): Cadence | undefined
}

/** Specific rules come before general ones. */
const rules: Rule[] = [
  {
    pattern: String.raw`(?:on\s+)?(?:${each}|the\s+)?${nth}\s+(${dayName})${ofMonth}`,
    read: ([which, day]) => {
      const place = nths[which!.toLowerCase()] ?? which![0]!
      return { name: 'Monthly', days: `* * ${dayNumber(day!)}#${place}` }
    },
  },
  { pattern: String.raw`(?:on\s+)?(?:the\s+)?${date}${ofMonth}`, read: monthly },
  { pattern: String.raw`(?:${each}month|monthly)\s+on\s+the\s+${date}`, read: monthly },
  { pattern: String.raw`${each}(?:(\d{1,3})\s+)?min(?:ute)?s?`, read: ([count], ...rest) => atInterval(count, 60, ...rest) },
  { pattern: String.raw`${each}(?:(\d{1,3})\s+)?hours?`, read: ([count], ...rest) => atInterval(count, 24, ...rest) },
  {
    pattern: String.raw`(?:${each}|on\s+)(?:weekday|work(?:ing)?\s?day|business\s+day)s?${part}|weekdays(?=\s+at\b)`,
    read: ([word]) => ({ name: 'Weekdays', days: '* * 1-5', ...partOf(word) }),
  },
  {
    pattern: String.raw`(?:${each}|from\s+|on\s+)(${dayName})\s*(?:to|through|till|until|-|–)\s*(${dayName})`,
    read: ([first, last]) => range(dayNumber(first!), dayNumber(last!)),
  },
  { pattern: String.raw`(mon|monday)\s*[-–]\s*(fri|friday)`, read: () => range(1, 5) },
  { pattern: String.raw`(?:${each}|on\s+)weekends?`, read: () => weekly([0, 6]) },
  {
    pattern: String.raw`(?:${each}week|weekly)\s+on\s+(${listed(dayName)})${part}`,
    read: ([list, word]) => weekly(daysIn(list!), word),
  },
  { pattern: String.raw`${each}(${listed(dayName)})${part}`, read: ([list, word]) => weekly(daysIn(list!), word) },
  { pattern: String.raw`(?:on\s+)?(${listed(dayPlural)})${part}`, read: ([list, word]) => weekly(daysIn(list!), word) },
  { pattern: String.raw`${each}(?:day|(morning|afternoon|evening|night))|nightly`, read: ([word]) => daily(word) },
  {
    pattern: `${each}week`,
    read: (_, remarks) => {
      remarks.assumptions.push('No day of the week given: using Monday.')
      return weekly([1])
    },
  },
  {
    pattern: `${each}month`,
    read: (_, remarks) => {
      remarks.assumptions.push('No day of the month given: using the 1st.')
      return { name: 'Monthly', days: '1 * *' }
    },
  },
]

/** These words can also be adjectives (“a weekly report”), so they set the schedule only if nothing else does. */
const adverbs: Rule[] = [
  { pattern: 'hourly', read: () => atInterval(undefined, 24) },
  { pattern: 'daily', read: () => daily() },
  { pattern: 'weekly', read: rules.at(-2)!.read },
  { pattern: 'monthly', read: rules.at(-1)!.read },
]

const unsupported = new RegExp(
  String.raw`\b(?:${each}(?:other|second|two|three|four|five|six|\d+)\s+(?:day|week|month|quarter|year)s?` +
    String.raw`|${each}(?:fortnight|quarter|year)|fortnightly|bi-?weekly|quarterly|yearly|annually|once)\b`,
  'iu',
)

/** How often the automation should run, if the sentence says so. */
export function readCadence(sentence: Sentence, remarks: Remarks): Cadence | undefined {
  for (let span = sentence.find(unsupported); span; span = sentence.find(unsupported)) {
    sentence.keep(span)
    remarks.notUnderstood.push(`Can’t read “${span.text}” as a schedule. Choose one in the form.`)
  }
  let cadence: Cadence | undefined
  for (const rule of [...rules, ...adverbs]) {
    const pattern = new RegExp(String.raw`\b(?:${rule.pattern})\b`, 'iu')
    for (let span = sentence.find(pattern); span; span = sentence.find(pattern)) {
      const isAdverb = adverbs.includes(rule)
      if (cadence) {
        sentence.keep(span)
        if (!isAdverb) remarks.notUnderstood.push(`An automation has one schedule. Ignored “${span.text}”.`)
        continue
      }
      cadence = rule.read(span.groups, remarks, span.text)
      // “A weekly report” is part of the instructions too.
      if (cadence && !isAdverb) sentence.cut(span)
      else sentence.keep(span)
    }
  }
  return cadence
}

const weekly = (days: number[], word?: string): Cadence => ({ name: 'Weekly', days: `* * ${days.join(',')}`, ...partOf(word) })
const daily = (word?: string): Cadence => ({ name: 'Daily', days: '* * *', ...partOf(word) })

function range(first: number, last: number): Cadence {
  if (first === 1 && last === 5) return { name: 'Weekdays', days: '* * 1-5' }
  const length = ((last - first + 7) % 7) + 1
  return weekly(inOrder(Array.from({ length }, (_, at) => (first + at) % 7)))
}

function monthly([day]: Span['groups'], remarks: Remarks, words: string): Cadence | undefined {
  const which = day!.toLowerCase()
  if (which === 'last') return { name: 'Monthly', days: 'L * *' }
  const number = which === 'first' ? 1 : Number(which)
  if (number >= 1 && number <= 31) return { name: 'Monthly', days: `${number} * *` }
  remarks.notUnderstood.push(`“${words}”: no month has that day.`)
  return undefined
}

/** Every n minutes or hours. Cron can only repeat evenly if n divides the hour or the day. */
function atInterval(count: string | undefined, whole: 60 | 24, remarks?: Remarks, words?: string): Cadence | undefined {
  const step = Number(count ?? 1)
  const isEven = step >= 1 && step < whole && whole % step === 0
  if (!isEven) {
    remarks?.notUnderstood.push(`“${words}” doesn’t repeat evenly. Choose a number that divides ${whole}.`)
    return undefined
  }
  const field = step === 1 ? '*' : `*/${step}`
  const name = step === 1 && whole === 24 ? 'Hourly' : words!.replace(/^e/, 'E')
  return { name, cron: whole === 60 ? `${field} * * * *` : `0 ${field} * * *` }
}
