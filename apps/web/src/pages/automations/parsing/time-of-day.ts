import type { PartOfDay } from './cadence.ts'
import type { Remarks } from './remarks.ts'
import type { Sentence, Span } from './sentence.ts'

/** Minutes since midnight. */
type Minutes = number

const half = String.raw`\s*([ap])\.?\s?m\.?(?![\p{L}])`
const oClock = String.raw`\s*o[’']?\s?clock`
const written = String.raw`(?:noon|midday|midnight|\d{1,2}(?:[:.]\d{2})?(?:${half.replace('(', '(?:')}|${oClock})?)`
const inThe = String.raw`(?:\s+in\s+the\s+(morning|afternoon|evening)|\s+at\s+(night))?`

/** A time after “at”, or one that is unambiguous without it. */
const times = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:at|@)\s*(${written}(?:\s*(?:,|&|,?\s+and)\s*(?:at\s+)?${written})*)${inThe}` +
    String.raw`|(\d{1,2}(?:[:.]\d{2})?(?:${half.replace('(', '(?:')}|${oClock})|\d{1,2}:\d{2})${inThe})(?![\p{L}\p{N}:])`,
  'iu',
)

/** The times of day in order; empty if the sentence has none. */
export function readTimes(sentence: Sentence, givenPart: PartOfDay | undefined, remarks: Remarks): Minutes[] {
  for (let span = sentence.find(times); span; span = sentence.find(times)) {
    if (!isTime(span, sentence)) {
      sentence.keep(span)
      continue
    }
    const [afterAt, ...others] = span.groups
    const part = (others[0] ?? others[1] ?? others[3] ?? others[4])?.toLowerCase() as PartOfDay | undefined
    const list = (afterAt ?? others[2])!.match(new RegExp(written, 'giu'))!
    const read = list.map((text) => minutesOf(text, part ?? givenPart))
    sentence.cut(span)
    const unread = list.filter((_, at) => read[at] === undefined)
    if (unread.length > 0) remarks.notUnderstood.push(`“${unread.join(', ')}” isn’t a time of day.`)
    return [...new Set(read.filter((minutes) => minutes !== undefined))].toSorted((one, other) => one - other)
  }
  return []
}

/** A bare number, as in “look at 3 queries”, is a time only next to the schedule. */
function isTime(span: Span, sentence: Sentence): boolean {
  const isBare = /^(?:at|@)\s*\d{1,2}$/i.test(span.text)
  return !isBare || sentence.isBesideCut(span)
}

function minutesOf(text: string, part: PartOfDay | undefined): Minutes | undefined {
  const word = text.toLowerCase()
  if (word === 'noon' || word === 'midday') return 12 * 60
  if (word === 'midnight') return 0
  const [, hourText, minuteText = '0'] = /^(\d{1,2})(?:[:.](\d{2}))?/.exec(text)!
  const isHalf = new RegExp(half, 'iu').exec(text)?.[1]?.toLowerCase()
  const [hour, minute] = [Number(hourText), Number(minuteText)]
  if (minute > 59 || hour > (isHalf ? 12 : 23) || (isHalf && hour === 0)) return undefined
  if (isHalf) return ((hour % 12) + (isHalf === 'p' ? 12 : 0)) * 60 + minute
  const isLater = (part === 'afternoon' || part === 'evening' || part === 'night') && hour >= 1 && hour < 12
  // “At 2 in the night” is 02:00, “at 10 in the night” is 22:00.
  return (hour + (isLater && !(part === 'night' && hour < 6) ? 12 : 0)) * 60 + minute
}
