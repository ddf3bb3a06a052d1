import type { Field, FieldType } from './field.ts'

/**
 * The role of a result column, decided by its type and name:
 *
 * - a *measure* is a number that may be summed over rows: revenue, orders;
 * - a *level* is a number that may not: rates, shares, averages, prices, extremes;
 * - a *key* identifies rows: names, codes, flags, numbers that are identifiers or parts of the calendar;
 * - a *time* is a date or timestamp; a single time column makes the result a series;
 * - everything else is *aside*: JSON, and ranks, which change whenever another row does.
 */
export type ColumnRole = 'measure' | 'level' | 'key' | 'time' | 'aside'

export interface Column {
  index: number
  /** Its name, numbered if an earlier column has the same name. */
  name: string
  /** For display: without underscores and without its unit. */
  label: string
  role: ColumnRole
  isIdentifier: boolean
  unit: Unit
}

export type Unit = '' | '%' | '€' | '$' | '£' | '¥' | 'CHF'

const set = (words: string) => new Set(words.split(' '))

const identifiers = set('id ids uuid guid key code no nr number zip postcode phone')
const calendar = set('year quarter month week weekday day hour minute dow isodow doy')
const ranks = set('rank position rownum')
const levels = set(
  'avg average mean median mode rate ratio percent percentage pct share min max minimum maximum price per score rating index ' +
    'percentile quantile p50 p75 p90 p95 p99 stddev deviation variance latitude longitude lat lon lng temperature age ' +
    'cumulative running',
)
const money = set('revenue amount sales turnover income profit value total cost spend')
const units = new Map<string, Unit>([
  ...namesOf('€', 'eur euro euros'),
  ...namesOf('$', 'usd dollar dollars'),
  ...namesOf('£', 'gbp'),
  ...namesOf('¥', 'jpy yen'),
  ...namesOf('CHF', 'chf'),
  ...namesOf('%', 'percent percentage pct'),
])
function namesOf(unit: Unit, words: string): [string, Unit][] {
  return words.split(' ').map((word) => [word, unit])
}

const signs: [string, Unit][] = [['%', '%'], ['€', '€'], ['$', '$'], ['£', '£'], ['¥', '¥']]

const maxNameLength = 200
const numeric = new Set<FieldType>(['integer', 'number', 'decimal'])

export function readColumns(fields: Field[]): Column[] {
  const seen = new Map<string, number>()
  return fields.map((field, index) => {
    const times = (seen.get(field.name) ?? 0) + 1
    seen.set(field.name, times)
    const cut = field.name.slice(0, maxNameLength)
    const words = wordsOf(cut)
    return {
      index,
      name: times === 1 ? cut : `${cut} (${times})`,
      label: labelOf(cut, words) + (times === 1 ? '' : ` (${times})`),
      role: roleOf(field, words),
      isIdentifier: isIdentifier(words),
      unit: unitOf(cut, words),
    }
  })
}

/** `refundRate_percent` → refund, rate, percent. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function roleOf({ name, type }: Field, words: string[]): ColumnRole {
  if (type === 'json') return 'aside'
  if (type === 'date' || type === 'timestamp') return 'time'
  if (!numeric.has(type)) return 'key'
  if (words.some((word) => ranks.has(word)) || words.join(' ') === 'row number') return 'aside'
  if (name.includes('%') || words.some((word) => levels.has(word))) return 'level'
  if (isIdentifier(words)) return 'key'
  if (type === 'integer' && calendar.has(words.at(-1) ?? '')) return 'key'
  return 'measure'
}

/** `number` on its own is more likely a quantity than an identifier. */
function isIdentifier(words: string[]): boolean {
  return identifiers.has(words.at(-1) ?? '') && words.join(' ') !== 'number'
}

function unitOf(name: string, words: string[]): Unit {
  const named = words.map((word) => units.get(word)).find((unit) => unit !== undefined)
  return named ?? signs.find(([sign]) => name.includes(sign))?.[1] ?? ''
}

function labelOf(name: string, words: string[]): string {
  const shown = words.filter((word) => !units.has(word))
  if (shown.length === 0 || shown.length === words.length) return name.replaceAll('_', ' ').trim() || 'unnamed column'
  return shown.join(' ')
}

/** The column that the headline is about: the first measure that is money, else the first measure, else the first level. */
export function mainColumn(columns: Column[]): Column | undefined {
  const measures = columns.filter(({ role }) => role === 'measure')
  const isMoney = ({ name, unit }: Column) =>
    (unit !== '' && unit !== '%') || wordsOf(name).some((word) => money.has(word))
  return measures.find(isMoney) ?? measures[0] ?? columns.find(({ role }) => role === 'level')
}
