import type { Change, Figure, Findings, Headline, KeyedFigure, Point } from './findings.ts'
import { absolute, type Column, counted, countText, differenceText, numberText, percentOf, percentText, readDecimal, signOf } from '@querypost/answers'
import { escapedName } from './escaped-name.ts'
import { inPeriod, periodName } from './periods.ts'

/** Wraps a figure in its link. */
export type Link = (text: string) => string

const nameOf = (column: Column) => escapedName(column.label)
const figureText = ({ column, value }: Figure) => numberText(value, column.unit)

/** "up 3.4% (+40,123)"; for percentages, points: "up 2.1 points". */
function changeText(change: Change, column: Column): string {
  const sign = signOf(change.difference)
  if (sign === 0) return 'unchanged'
  const direction = sign > 0 ? 'up' : 'down'
  if (column.unit === '%') return `${direction} ${numberText(absolute(change.difference))} points`
  const difference = differenceText(change.difference, column.unit)
  return change.percent ? `${direction} ${percentText(change.percent)} (${difference})` : `${direction} (${difference})`
}

const fromText = (change: Change, column: Column) => numberText(change.from, column.unit)

export function headlineWords(headline: Headline, link: Link): string {
  switch (headline.kind) {
    case 'figure': {
      const { column, change } = headline.figure
      const since = change ? `, ${sinceRun(change, column)}` : ''
      return `${link(`**${figureText(headline.figure)}**`)} ${nameOf(column)}${since}.`
    }
    case 'total': {
      const { column, change } = headline.figure
      const over = headline.rowCount === 1 ? '' : ` over ${counted(headline.rowCount, 'row')}`
      const since = change ? `, ${sinceRun(change, column)}` : ''
      return `${link(`**${figureText(headline.figure)}**`)} ${nameOf(column)} in total${over}${since}.`
    }
    case 'period': {
      const { figure, period, before } = headline
      const { column, change } = figure
      const when = inPeriod(period.begin, period.step) + (headline.isComplete ? '' : ', which is not over yet')
      const beforeName = before?.isAdjacent ? `the ${period.step} before` : before && periodName(before.begin, before.step)
      const since = change && beforeName ? `, ${changeText(change, column)} from ${beforeName}` : ''
      return `${link(`**${figureText(figure)}**`)} ${nameOf(column)} ${when}${since}.`
    }
    case 'rows': {
      if (headline.rowCount === 0) {
        const since = headline.change && signOf(headline.change.from) !== 0
        return `${link('**No rows**')}${since ? `; the last run had ${numberText(headline.change!.from)}` : ''}.`
      }
      const rows = `**${countText(headline.rowCount)}** ${headline.rowCount === 1 ? 'row' : 'rows'}`
      const { change } = headline
      if (!change) return `${link(rows)}.`
      const since = signOf(change.difference) === 0 ? 'unchanged' : differenceText(change.difference)
      return `${link(rows)}, ${since} since the last run.`
    }
  }
}

function sinceRun(change: Change, column: Column): string {
  if (signOf(change.difference) === 0) return 'unchanged since the last run'
  const from = change.percent || column.unit === '%' ? '' : `, from ${fromText(change, column)}`
  return `${changeText(change, column)}${from} since the last run`
}

export function pointWords(point: Point, link: Link): string {
  switch (point.kind) {
    case 'first_report':
      return firstReport
    case 'query_changed':
      return 'The query or its parameters changed since the last run, which may explain differences.'
    case 'not_comparable':
      return notComparable[point.why]
    case 'figure': {
      const { column, change } = point.figure
      const name = capital(point.isTotal ? `${nameOf(column)} in total` : nameOf(column))
      const since = change ? `, ${changeText(change, column)}${point.isTotal ? ' since the last run' : ''}` : ''
      return `${name}: ${link(figureText(point.figure))}${since}.`
    }
    case 'row_count':
      return `Rows: ${link(countText(point.rowCount))}, ${differenceText(point.change.difference)} since the last run.`
    case 'largest': {
      const items = point.rows.map(({ name, value }) => {
        const share = percentOf(value, point.total)
        return `${escapedName(name)} (${numberText(value, point.column.unit)}${share ? `, ${percentText(share)}` : ''})`
      })
      return `Largest by ${nameOf(point.column)}: ${linkFirst(items, link)}.`
    }
    case 'movers': {
      const list = (rows: KeyedFigure[]) => linkFirst(rows.map((row) => moverText(row, point.column)), link)
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
      const more = point.count > names.length ? ` and ${countText(point.count - names.length)} more` : ''
      return `${point.kind === 'new_keys' ? 'New' : 'Gone'}: ${names.join(', ')}${more}.`
    }
    case 'new_periods':
      return `${counted(point.count, `new ${point.step}`)} since the last run.`
    case 'revised': {
      const { largest, column, step } = point
      const what = point.count === 1 ? `One earlier ${step} was` : `${countText(point.count)} earlier ${step}s were`
      const which = `${point.count === 1 ? '' : 'most notably '}${periodName(largest.name, step)}`
      const value = `${link(numberText(largest.value, column.unit))} ${nameOf(column)}`
      return `${what} revised since the last run, ${which}: ${value}, ${changeText(largest.change!, column)}.`
    }
    case 'so_far': {
      const { period, figure } = point
      const name = capital(periodName(period.begin, period.step))
      return `${name} so far: ${link(figureText(figure))} ${nameOf(figure.column)}.`
    }
    case 'unusual': {
      const { step, column } = point
      const isMixed = new Set(point.items.map(({ isHigh }) => isHigh)).size > 1
      const items = point.items.map(({ name, value, isHigh }) => {
        const shown = step ? periodName(name, step) : escapedName(name)
        return `${shown} (${numberText(value, column.unit)}${isMixed ? `, ${isHigh ? 'high' : 'low'}` : ''})`
      })
      const how = isMixed ? 'Unusual' : point.items[0]!.isHigh ? 'Unusually high' : 'Unusually low'
      return `${how} ${nameOf(column)}: ${linkFirst(items, link)}; typical is ${typicalText(point.typical, column)}.`
    }
  }
}

export const firstReport = 'First report. Comparisons start with the next run.'

const notComparable = {
  too_large: 'The result is too large to compare row by row; only its row count and totals are reported.',
  too_many_keys: 'There are too many rows to track, so new and missing rows are not listed.',
  too_large_before: 'The last result was too large to store row by row, so only totals are compared.',
}

function moverText({ name, change }: KeyedFigure, column: Column): string {
  const { difference, percent } = change!
  if (column.unit === '%') return `${escapedName(name)} ${differenceText(difference)} points`
  const relative = percent ? ` (${signOf(difference) < 0 ? '−' : '+'}${percentText(percent)})` : ''
  return `${escapedName(name)} ${differenceText(difference, column.unit)}${relative}`
}

/** Only the first figure of a line is linked; repeating the same link would only make the text longer. */
const linkFirst = ([first, ...others]: string[], link: Link) => [link(first!), ...others].join(', ')

/** The median is computed in floating point; three digits of it are enough. */
function typicalText(typical: number, column: Column): string {
  const rounded = readDecimal(Number(typical.toPrecision(3)))
  return rounded ? `about ${numberText(rounded, column.unit)}` : 'too large to show'
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Why there is nothing to report. */
export const nothingNotable = ({ isSame }: Pick<Findings, 'isSame'>) =>
  isSame
    ? 'Nothing notable: same as the last run.'
    : 'Nothing notable: no figure changed by 1% or more since the last run.'
