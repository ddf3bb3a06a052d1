import {
  type Column,
  compare,
  compareNumbers,
  type Comparison,
  countText,
  type Decimal,
  type Expression,
  type NumberValue,
  percentOf,
  type PrintedValue,
  printNumber,
  signOf,
  type Style,
} from '@querypost/answers'
import type { Change, Figure, Findings, Headline, KeyedFigure, Point } from './findings.ts'
import { escapedName } from './escaped-name.ts'
import { type Place, rowsOperand } from './operands.ts'
import { inPeriod, periodName } from './periods.ts'

/** How sentences are written about one query run. */
export interface Writer {
  /** Wraps text in a link to the run. */
  link(text: string): string
  /** Marks a figure in the text, so that its proof can be found. Without an expression, it is text like any other. */
  figure(printed: PrintedValue, source: { expression: Expression | null; style: Style | null }): string
}

const nameOf = (column: Column) => escapedName(column.label)
const integer = (count: number): Decimal => ({ units: BigInt(count), scale: 0 })

interface Printing {
  kind?: Comparison['kind']
  style?: Style
  expression: Expression | null
}

function print({ figure }: Writer, value: NumberValue, { kind, style, expression }: Printing): string {
  const printed = printNumber(value, { kind: kind ?? null, style: style ?? null, isIdentifier: false })
  return figure(printed, { expression, style: style ?? null })
}

const valueWords = (writer: Writer, { column, value, place }: Pick<Figure, 'column' | 'value' | 'place'>) =>
  print(writer, { number: value, rounded: null, unit: column.unit }, { expression: place })

const countWords = (writer: Writer, count: number, place: Place) =>
  print(writer, { number: integer(count), rounded: null, unit: '' }, { expression: place })

/** "1 row", "12 rows". */
const counted = (writer: Writer, { count, noun, place }: { count: number; noun: string; place: Place }) =>
  `${countWords(writer, count, place)} ${noun}${count === 1 ? '' : 's'}`

interface Changed {
  change: Change
  value: Decimal
  place: Place
  unit: Column['unit']
}

/** A change in percent or in points, or a difference. */
function comparedWords(writer: Writer, kind: 'change' | 'difference', { change, value, place, unit, style }: Changed & { style?: Style }): string {
  const compared = compareNumbers(kind, { from: change.from, to: value, unit })
  const expression = place && change.place && { kind, base: change.place, subject: place }
  return print(writer, compared, { kind, expression, ...(style && { style }) })
}

/** "up 3.4% (+40,123)"; for percentages, points: "up 2.1 points". */
function changeWords(writer: Writer, changed: Changed): string {
  const { change, unit } = changed
  const sign = signOf(change.difference)
  if (sign === 0) return 'unchanged'
  if (unit === '%') return comparedWords(writer, 'change', changed)
  const difference = `(${comparedWords(writer, 'difference', changed)})`
  return change.percent ? `${comparedWords(writer, 'change', changed)} ${difference}` : `${sign > 0 ? 'up' : 'down'} ${difference}`
}

const changedFigure = ({ column, value, place }: Figure, change: Change): Changed => ({ change, value, place, unit: column.unit })

const changedRows = (rowCount: number, change: Change): Changed => ({
  change,
  value: integer(rowCount),
  place: rowsOperand(null),
  unit: '',
})

export function headlineWords(headline: Headline, writer: Writer): string {
  const { link } = writer
  switch (headline.kind) {
    case 'figure': {
      const { column, change } = headline.figure
      const since = change ? `, ${sinceRun(writer, headline.figure, change)}` : ''
      return `${link(`**${valueWords(writer, headline.figure)}**`)} ${nameOf(column)}${since}.`
    }
    case 'total': {
      const { column, change } = headline.figure
      const rows = { count: headline.rowCount, noun: 'row', place: rowsOperand(null) }
      const across = headline.rowCount === 1 ? '' : ` across ${counted(writer, rows)}`
      const since = change ? `, ${sinceRun(writer, headline.figure, change)}` : ''
      return `${link(`**${valueWords(writer, headline.figure)}**`)} total ${nameOf(column)}${across}${since}.`
    }
    case 'period': {
      const { figure, period, before } = headline
      const { column, change } = figure
      const when = inPeriod(period.begin, period.step) + (headline.isComplete ? '' : ', which is not over yet')
      const beforeName = before?.isAdjacent ? `the ${period.step} before` : before && periodName(before.begin, before.step)
      const since = change && beforeName ? `, ${changeWords(writer, changedFigure(figure, change))} from ${beforeName}` : ''
      return `${link(`**${valueWords(writer, figure)}**`)} ${nameOf(column)} ${when}${since}.`
    }
    case 'rows':
      return `${rowsWords(headline, writer)}.`
  }
}

function rowsWords({ rowCount, change }: Extract<Headline, { kind: 'rows' }>, writer: Writer): string {
  const { link } = writer
  if (rowCount === 0) {
    if (!change || signOf(change.from) === 0) return link('**No rows**')
    const before = print(writer, { number: change.from, rounded: null, unit: '' }, { expression: change.place })
    return `${link('**No rows**')}; the last run had ${before}`
  }
  const rows = link(`**${countWords(writer, rowCount, rowsOperand(null))}** ${rowCount === 1 ? 'row' : 'rows'}`)
  if (!change) return rows
  const isSame = signOf(change.difference) === 0
  const since = isSame ? 'unchanged' : comparedWords(writer, 'difference', changedRows(rowCount, change))
  return `${rows}, ${since} since the last run`
}

function sinceRun(writer: Writer, figure: Figure, change: Change): string {
  if (signOf(change.difference) === 0) return 'unchanged since the last run'
  const { column } = figure
  const isRelative = change.percent || column.unit === '%'
  const from = isRelative ? '' : `, from ${valueWords(writer, { column, value: change.from, place: change.place })}`
  return `${changeWords(writer, changedFigure(figure, change))}${from} since the last run`
}

export function pointWords(point: Point, writer: Writer): string {
  const { link } = writer
  switch (point.kind) {
    case 'first_report':
      return firstReport
    case 'query_changed':
      return 'The query or its parameters changed since the last run, which may explain differences.'
    case 'not_comparable':
      return notComparable[point.why]
    case 'figure': {
      const { column, change } = point.figure
      const name = capital(point.isTotal ? `total ${nameOf(column)}` : nameOf(column))
      const changed = change && changeWords(writer, changedFigure(point.figure, change))
      const since = changed === null ? '' : `, ${changed}${point.isTotal ? ' since the last run' : ''}`
      return `${name}: ${link(valueWords(writer, point.figure))}${since}.`
    }
    case 'contribution':
      return `${contributorWords(point)}: ${contributionWords(writer, point)}.`
    case 'row_count': {
      const difference = comparedWords(writer, 'difference', changedRows(point.rowCount, point.change))
      return `Rows: ${link(countWords(writer, point.rowCount, rowsOperand(null)))}, ${difference} since the last run.`
    }
    case 'largest': {
      const items = point.rows.map((row) => {
        const share = shareWords(writer, row, point)
        return `${escapedName(row.name)} (${valueWords(writer, { column: point.column, ...row })}${share === null ? '' : `, ${share}`})`
      })
      return `Largest by ${nameOf(point.column)}: ${linkFirst(items, link)}.`
    }
    case 'movers': {
      const list = (rows: KeyedFigure[]) => linkFirst(rows.map((row) => moverText(writer, row, point.column)), link)
      const since = point.since ? ` from the ${point.since} before` : ''
      const directions = [
        { direction: 'up', rows: point.up },
        { direction: 'down', rows: point.down },
      ].filter(({ rows }) => rows.length > 0)
      const parts = directions.map(({ direction, rows }, at) => `${direction}${at === 0 ? since : ''}: ${list(rows)}`)
      return `${capital(nameOf(point.column))} ${parts.join('; ')}.`
    }
    case 'new_keys':
    case 'vanished_keys': {
      const names = point.names.map((name) => escapedName(name))
      const left = point.count - names.length
      const more = left > 0 ? ` and ${countWords(writer, left, point.morePlace)} more` : ''
      return `${point.kind === 'new_keys' ? 'New' : 'Gone'}: ${names.join(', ')}${more}.`
    }
    case 'new_periods':
      return `${counted(writer, { count: point.count, noun: `new ${point.step}`, place: point.place })} since the last run.`
    case 'revised': {
      const { largest, column, step } = point
      const what = point.count === 1 ? `One earlier ${step} was` : `${countText(point.count)} earlier ${step}s were`
      const which = `${point.count === 1 ? '' : 'most notably '}${periodName(largest.name, step)}`
      const figure = { column, ...largest }
      const value = `${link(valueWords(writer, figure))} ${nameOf(column)}`
      return `${what} revised since the last run, ${which}: ${value}, ${changeWords(writer, changedFigure(figure, largest.change!))}.`
    }
    case 'so_far': {
      const { period, figure } = point
      const name = capital(periodName(period.begin, period.step))
      return `${name} so far: ${link(valueWords(writer, figure))} ${nameOf(figure.column)}.`
    }
    case 'unusual': {
      const { step, column } = point
      const isMixed = new Set(point.items.map(({ isHigh }) => isHigh)).size > 1
      const items = point.items.map(({ name, isHigh, ...item }) => {
        const shown = step ? periodName(name, step) : escapedName(name)
        return `${shown} (${valueWords(writer, { column, ...item })}${isMixed ? `, ${isHigh ? 'high' : 'low'}` : ''})`
      })
      const typical = { number: point.typical, rounded: null, unit: column.unit }
      const how = isMixed ? 'Unusual' : point.items[0]!.isHigh ? 'Unusually high' : 'Unusually low'
      return `${how} ${nameOf(column)}: ${linkFirst(items, link)}; typical is ${print(writer, typical, { style: 'about', expression: point.typicalPlace })}.`
    }
  }
}

export const firstReport = 'First report. Comparisons start with the next run.'

const notComparable = {
  too_large: 'The result is too large to compare row by row; only its row count and totals are reported.',
  too_many_keys: 'There are too many rows to track, so new and missing rows are not listed.',
  too_large_before: 'The last result was too large to store row by row, so only totals are compared.',
}

function moverText(writer: Writer, { name, value, place, change }: KeyedFigure, column: Column): string {
  const { difference, percent } = change!
  const changed = { change: change!, value, place, unit: column.unit }
  const moved = `${escapedName(name)} ${comparedWords(writer, 'difference', changed)}`
  if (column.unit === '%' || !percent) return moved
  const relative = comparedWords(writer, 'change', { ...changed, style: 'amount' })
  return `${moved} (${signOf(difference) < 0 ? '−' : '+'}${relative})`
}

type ContributionPoint = Extract<Point, { kind: 'contribution' }>

/** "By channel, web contributed most to the change in total revenue". */
const contributorWords = ({ column, by, item }: ContributionPoint) =>
  `By ${by.map((each) => nameOf(each)).join(' and ')}, ${escapedName(item.name)} contributed most to the change in total ${nameOf(column)}`

/** A sum over no rows has no value, so a key that is new or gone is not compared. */
function contributionWords(writer: Writer, { column, item }: ContributionPoint): string {
  const { value, place, change } = item
  const { from } = change!
  if (signOf(from) === 0) return `${writer.link(valueWords(writer, { column, value, place }))}, none in the last run`
  if (signOf(value) === 0) return `${writer.link('none')}, ${valueWords(writer, { column, value: from, place: change!.place })} in the last run`
  return writer.link(comparedWords(writer, 'difference', { change: change!, value, place, unit: column.unit }))
}

/** Null where a share is meaningless. */
function shareWords(writer: Writer, { value, place }: KeyedFigure, point: Extract<Point, { kind: 'largest' }>): string | null {
  if (!percentOf(value, point.total) || compare(value, point.total) > 0) return null
  const share = compareNumbers('share', { from: point.total, to: value, unit: point.column.unit })
  const expression = place && point.totalPlace && { kind: 'share' as const, base: point.totalPlace, subject: place }
  return print(writer, share, { kind: 'share', expression })
}

/** Only the first figure of a line is linked; repeating the same link would only make the text longer. */
const linkFirst = ([first, ...others]: string[], link: Writer['link']) => [link(first!), ...others].join(', ')

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Why there is nothing to report. */
export const nothingNotable = ({ isSame }: Pick<Findings, 'isSame'>) =>
  isSame
    ? 'Nothing notable: same as the last run.'
    : 'Nothing notable: no figure changed by 1% or more since the last run.'
