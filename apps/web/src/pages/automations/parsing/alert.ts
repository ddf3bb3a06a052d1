import { type AlertTestDraft, newTest } from '../alert-draft.ts'
import type { Mention } from './references.ts'
import type { Remarks } from './remarks.ts'
import { cutText, kept, type Sentence, type Span } from './sentence.ts'

export interface ReadAlert {
  kind: 'alert'
  /** Undefined if the sentence names no query. */
  reference: string | undefined
  tests: AlertTestDraft[]
}

/** Begins a test: “tell me when”, or “or if” after another one. Captures the word that joins it to the one before. */
const lead =
  String.raw`(?:${cutText}[\s,]*(or|and)\s+(?:also\s+)?(?:when(?:ever)?\s+|if\s+)?|(?<![\p{L}])` +
  String.raw`(?:(?:tell|alert|notify|warn|let)\s+(?:me|us)\s+(?:know\s+)?)?(?:but\s+)?(?:only\s+)?(?:when(?:ever)?|if|as\s+soon\s+as|once)\s+)`
/** The query itself, a column, or a column of the query. */
const subject = String.raw`(?:the\s+)?(?:(number\s+of\s+rows|${kept}|[\p{L}_][\p{L}\p{N}_]*)\s+(?:(?:in|of)\s+(?:the\s+)?${kept}\s+)?)`
const inQuery = String.raw`(?:\s+(?:in|of|for)\s+(?:the\s+)?${kept})?`
const figure = String.raw`[$€£]?\s*(\d[\d,]*(?:\.\d+)?)`
const runs = String.raw`(?:\s+(?:for|in)\s+(\d+)\s+(?:consecutive\s+)?(runs|results|times|checks|minutes|hours|days|weeks)(?:\s+in\s+a\s+row)?)?`
const end = String.raw`(?![\p{L}\p{N}])`

const down = /^(?:falls?|drops?|decreases?|declines?|sinks?|goes\s+down)/i
const up = /^(?:rises?|grows?|increases?|jumps?|goes\s+up)/i
const moves = String.raw`(falls?|drops?|decreases?|declines?|sinks?|goes\s+down|rises?|grows?|increases?|jumps?|goes\s+up|changes?|differs?|moves?)`
const compared =
  String.raw`(?:,?\s+(?:compared\s+(?:with|to)|against|versus|vs\.?|from|since|within|over|than)\s+(?:the\s+)?(?:(?:last|previous|same|one|a)\s+)*` +
  String.raw`(runs?|results?|time|hour|day|yesterday|week|month|quarter|year)(?:\s+(?:before|ago|earlier))?)?`
const limits =
  String.raw`(?:(?:is|are|goes|gets|rises|falls|drops|has|stays|becomes)\s+)?` +
  String.raw`(above|over|more\s+than|greater\s+than|exceeds|at\s+least|below|under|less\s+than|fewer\s+than|at\s+most)`

type Reader = (groups: (string | undefined)[], remarks: Remarks) => Partial<AlertTestDraft> | undefined

const pattern = (text: string) => new RegExp(`${lead}${text}${end}`, 'iu')

/** The forms of tests. The first group is always the joining word. */
const forms: [RegExp, Reader][] = [
  [pattern(String.raw`${subject}${moves}\s+by\s+(?:more\s+than\s+|at\s+least\s+|over\s+)?${figure}\s*(%|percent)?${compared}${runs}${inQuery}`), readChange],
  [pattern(String.raw`(?:there\s+(?:is|are)|(?:the\s+)?${kept}\s+(?:has|gets|shows))\s+(?:any\s+|some\s+)?new\s+(?:rows?|entries|records|lines?)${inQuery}(?:\s+by\s+([\p{L}_][\p{L}\p{N}_]*))?`), readNewRows],
  [pattern(String.raw`(?:there\s+(?:is|are)|(?:the\s+)?${kept}\s+has)\s+no\s+(?:new\s+)?(?:data|rows?|results?)${inQuery}(?:\s+(?:for|since|in)\s+(?:more\s+than\s+)?(\d+)\s+(hour|day|week)s?)?${inQuery}`), readAbsence],
  [pattern(String.raw`${subject}(?:is|looks?|becomes)\s+(?:very\s+)?(?:unusual|abnormal|anomalous|an?\s+outlier|strange|suspicious)${inQuery}`), readUnusual],
  [pattern(String.raw`${subject}(?:is|becomes)\s+(?:older\s+than|out\s+of\s+date\s+for|not\s+updated\s+for)\s+(\d+)\s+(hour|day|week)s?`), readAge],
  [pattern(String.raw`(?:${subject})?${limits}\s+${figure}(\s+rows?)?${runs}${inQuery}`), readLimit],
]

/** Forecasts: alerts know only results that exist. */
const forecast = pattern(String.raw`${subject}(?:will|is\s+(?:forecast|predicted|expected|going)\s+to)`)

/** Reads the tests of an alert, such as “when revenue falls by more than 20 % compared with last week, or if there are new rows”. */
export function readAlert(sentence: Sentence, mentions: Mention[], remarks: Remarks): ReadAlert | undefined {
  if (sentence.find(forecast)) remarks.notPossible.push('An alert looks at results that exist. It can’t predict values.')
  const tests: AlertTestDraft[] = []
  const spans: Span[] = []
  for (let found = findTest(sentence); found; found = findTest(sentence)) {
    const [joint, ...groups] = found.span.groups
    const test = found.read(groups, remarks)
    sentence.cut(found.span)
    spans.push(found.span)
    if (joint?.toLowerCase() === 'and') remarks.notPossible.push('An alert fires if any of its tests does. It can’t require several at once.')
    else if (test) tests.push({ ...newTest, ...test })
  }
  if (tests.length === 0) return undefined
  const mention = mentions.find(({ span }) => spans.some(({ from, to }) => span.from >= from && span.to <= to)) ?? mentions[0]
  return { kind: 'alert', reference: mention?.shortId, tests }
}

function findTest(sentence: Sentence): { span: Span; read: Reader } | undefined {
  const found = forms.flatMap(([form, read]) => {
    const span = sentence.find(form)
    // “When Stock has more than 5 rows” is a condition, unless it has to hold several times.
    return span && !(read === readLimit && isRunCondition(span)) ? [{ span, read }] : []
  })
  return found.toSorted((one, other) => one.span.from - other.span.from)[0]
}

const isRunCondition = ({ groups }: Span) => groups[4] !== undefined && groups[5] === undefined

function readChange([of, verb, by, percent, period, times, unit]: (string | undefined)[], remarks: Remarks): Partial<AlertTestDraft> | undefined {
  const against = againstOf(period)
  if (!against) {
    remarks.notPossible.push(`An alert compares with the previous result, or with one a day, a week or a month before, not with “${period}”.`)
    return undefined
  }
  if (period === undefined) remarks.assumptions.push('Nothing to compare with given: using the previous result.')
  const direction = down.test(verb!) ? 'down' : up.test(verb!) ? 'up' : 'either'
  const change = { against, direction, by: plain(by!), unit: percent === undefined ? 'absolute' : 'percent' } as const
  return { kind: 'change', ...columnOf(of, remarks), ...change, ...runsOf(times, unit, remarks) }
}

function againstOf(period: string | undefined): AlertTestDraft['against'] | undefined {
  const word = period?.toLowerCase()
  if (word === undefined || /^(?:runs?|results?|time)$/.test(word)) return 'previous'
  if (word === 'yesterday') return 'day'
  return word === 'day' || word === 'week' || word === 'month' ? word : undefined
}

function readNewRows([key]: (string | undefined)[], remarks: Remarks): Partial<AlertTestDraft> {
  if (key === undefined) remarks.notUnderstood.push('Enter the columns that identify a row, so that new rows can be found.')
  return { kind: 'new_rows', keyColumns: key ?? '' }
}

function readAbsence([count, unit]: (string | undefined)[], remarks: Remarks): Partial<AlertTestDraft> {
  return count === undefined ? { kind: 'no_rows' } : readAge([undefined, count, unit], remarks)
}

const hoursOf: Record<string, number> = { hour: 1, day: 24, week: 168 }

function readAge([of, count, unit]: (string | undefined)[], remarks: Remarks): Partial<AlertTestDraft> {
  const column = isColumn(of) ? of : ''
  if (column === '') remarks.notUnderstood.push('Enter the column with the time of each row, so that the age of the data is known.')
  return { kind: 'stale', column, hours: String(Number(count) * hoursOf[unit!.toLowerCase()]!) }
}

function readUnusual([of]: (string | undefined)[], remarks: Remarks): Partial<AlertTestDraft> {
  remarks.assumptions.push('Unusual means 3 standard deviations from the last 30 results.')
  return { kind: 'unusual', ...columnOf(of, remarks) }
}

const comparisons: [RegExp, AlertTestDraft['comparison']][] = [
  [/^at\s+least/i, '>='],
  [/^at\s+most/i, '<='],
  [/^(?:below|under|less|fewer)/i, '<'],
  [/^/, '>'],
]

function readLimit([of, words, number, rows, times, unit]: (string | undefined)[], remarks: Remarks): Partial<AlertTestDraft> {
  const [, comparison] = comparisons.find(([word]) => word.test(words!))!
  const column = rows === undefined ? columnOf(of, remarks) : {}
  return { kind: 'threshold', ...column, comparison, number: plain(number!), ...runsOf(times, unit, remarks) }
}

function runsOf(times: string | undefined, unit: string | undefined, remarks: Remarks): Partial<AlertTestDraft> {
  if (times === undefined) return {}
  if (/^(?:minutes|hours|days|weeks)$/i.test(unit!)) {
    remarks.notPossible.push(`An alert counts results in a row, not ${unit}. Say “for ${times} runs”.`)
    return {}
  }
  return { forRuns: times }
}

const pronouns = /^(?:it|this|that|there|value|result|results|number)$/i
const isColumn = (of: string | undefined): of is string =>
  of !== undefined && !pronouns.test(of) && !new RegExp(`^(?:${kept})$`, 'u').test(of)

/** A query’s title does not say which of its columns counts. */
function columnOf(of: string | undefined, remarks: Remarks): Partial<AlertTestDraft> {
  if (of !== undefined && /^number\s+of\s+rows$/i.test(of)) return {}
  if (isColumn(of)) {
    remarks.assumptions.push(`“${of}” is read as a column.`)
    return { column: of }
  }
  remarks.notUnderstood.push('Enter the column to compare. Without one, the number of rows is compared.')
  return {}
}

const plain = (text: string) => text.replaceAll(',', '')
