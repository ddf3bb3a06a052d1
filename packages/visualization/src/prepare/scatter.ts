import { textProp } from '../chart-element.ts'
import { isTime, numberOf, timeOf } from '../fields.ts'
import type { ChartShape } from '../shape.ts'
import { maxPoints } from './cartesian.ts'
import { drawnColumn, labelsFor, seriesBase, valueText } from './drawn-columns.ts'
import type { ChartInput, DrawnSeries, PreparedChart } from './prepared-chart.ts'
import { otherColor, type RowGroup, splitRows } from './split-rows.ts'
import { keepEvenly } from './thin-out.ts'

/** Points by two numbers, with a third as their size and a column as their color. */
export function prepareScatter(input: ChartInput, shape: ChartShape): Pick<PreparedChart, 'category' | 'series' | 'notes' | 'problems'> {
  const { rows, element, locale } = input
  const xColumn = shape.categoryKey === null ? undefined : drawnColumn(input, shape.categoryKey)
  const sizeKey = element.children.find(({ name }) => name === 'ZAxis')
  const sizes = sizeKey && drawnColumn(input, textProp(sizeKey, 'dataKey') ?? '')
  const xValues = rows.map((row, at) => (xColumn ? xColumn.valueIn(row) : at + 1))
  const readX = xColumn && isTime(xColumn.field) ? timeOf : numberOf
  const labels = new Map<string, number>()
  /** Names on the axis are numbered, in the order of their appearance. */
  const areNames = xColumn !== undefined && xValues.every((value) => readX(value) === null)
  const label = xColumn && labelsFor(input, xColumn, xValues)
  const xOf = (row: number): number | null => {
    if (!areNames) return readX(xValues[row])
    const name = label!(xValues[row])
    if (!labels.has(name)) labels.set(name, labels.size)
    return labels.get(name)!
  }
  const xs = xValues.map((_, row) => xOf(row))
  const maxRows = Math.min(input.maxRows ?? maxPoints, maxPoints)
  const measures = shape.series.filter(({ key }) => key !== null)
  const keptRows = rows.length <= maxRows ? null : keepEvenly({
    rowCount: rows.length,
    maxRows,
    series: [(row) => xs[row]!, ...measures.map(({ key }) => {
      const column = drawnColumn(input, key!)!
      return (row: number) => numberOf(column.valueIn(rows[row]!))
    })],
  })
  const isKept = keptRows && new Set(keptRows)
  const count = new Intl.NumberFormat(locale)
  const notes = keptRows
    ? [`Showing ${count.format(keptRows.length)} of ${count.format(rows.length)} rows: evenly spaced, with the largest and smallest values.`]
    : []
  const series = measures.flatMap((each): DrawnSeries[] => {
    const column = drawnColumn(input, each.key!)!
    const split = splitRows(input, { series: each, column, placeOf: () => 0 })
    notes.push(...split.notes.filter((note) => note.includes('combined')))
    const drawGroup = ({ name, isOther, rowsAt }: RowGroup): DrawnSeries => {
      const own = rowsAt(0).filter((row) => xs[row] !== null && (!isKept || isKept.has(row)))
      const base = seriesBase(column, each)
      return {
        ...base,
        name: name ?? base.name,
        color: name === null ? base.color : isOther ? otherColor : null,
        values: own.map((row) => numberOf(column.valueIn(rows[row]!))),
        textAt: (point) => valueText(column, each.part, column.valueIn(rows[own[point]!]!)),
        rowsAt: (point) => [own[point]!],
        places: {
          x: own.map((row) => xs[row]!),
          sizes: sizes ? own.map((row) => numberOf(sizes.valueIn(rows[row]!))) : null,
          xTextAt: (point) => (xColumn ? textOfX(own[point]!) : String(own[point]! + 1)),
          sizeTextAt: (point) => (sizes ? valueText(sizes, sizeKey, sizes.valueIn(rows[own[point]!]!)) : null),
        },
      }
    }
    return split.groups.map(drawGroup)
  })
  const textOfX = (row: number) => (areNames || isTime(xColumn!.field) ? label!(xValues[row]) : (xColumn!.format(xValues[row]) ?? '–'))
  const names = [...labels.keys()]
  return {
    category: {
      field: xColumn?.field ?? null,
      title: xColumn?.title ?? null,
      count: names.length,
      labelAt: (index) => names[index]!,
      positions: areNames ? null : [],
      isTime: xColumn !== undefined && isTime(xColumn.field),
      labelOf: (position) => (label ? label(xColumn && isTime(xColumn.field) ? position : String(position)) : String(position)),
      placeOf: (value) => (areNames ? (typeof value === 'string' ? (labels.get(value) ?? null) : null) : readX(value)),
    },
    series,
    notes,
    problems: [],
  }
}
