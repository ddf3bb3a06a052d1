import { type ChartElement, everyElement } from '../chart-element.ts'
import { readShape } from '../shape.ts'
import { prepareRows } from './prepare.ts'
import type { ChartInput, PreparedChart } from './prepared-chart.ts'

/**
 * The rows of a long result that a chart draws, by their positions in order. A page that gets only these, and the number of all rows,
 * draws exactly what it would draw from all of them. Null if the chart needs all rows, because it draws all of them or computes
 * something from them.
 */
export function chooseDrawnRows(input: ChartInput & { maxRows: number }): number[] | null {
  const { element, rows } = input
  if (rows.length <= input.maxRows || !canDrawChosenRows(element)) return null
  const prepared = prepareRows(input)
  const [first] = prepared.series
  // Other notes are about rows that are not drawn.
  if (!first || !prepared.category || prepared.notes.length !== 1) return null
  const chosen = Array.from({ length: prepared.category.count }, (_, point) => first.rowsAt(point)[0]!)
  const again = prepareRows({ ...input, rows: chosen.map((row) => rows[row]!), rowCount: rows.length })
  return isSame(prepared, again) ? chosen : null
}

/** Whether each row is a point of lines or areas, and nothing depends on the rows between them or on the number of a row. */
export function canDrawChosenRows(element: ChartElement): boolean {
  const { kind, categoryKey, series } = readShape(element)
  if ((kind !== 'line' && kind !== 'area' && kind !== 'composed') || categoryKey === null) return false
  if (element.props['missing'] !== undefined || element.props['stackOffset'] !== undefined) return false
  if (!series.every((each) => (each.kind === 'line' || each.kind === 'area') && each.splitKey === null)) return false
  return everyElement(element).every(({ name, props }) => {
    const isDerived = props['trend'] !== undefined || props['movingAverage'] !== undefined
    return !isDerived && props['scale'] !== 'log' && name !== 'Cell' && !name.startsWith('Reference')
  })
}

/** The labels of times depend on all of them, and so may differ if only some are known. */
function isSame(all: PreparedChart, some: PreparedChart): boolean {
  const [category, other] = [all.category!, some.category]
  if (!other || other.count !== category.count || some.notes[0] !== all.notes[0] || some.notes.length !== 1) return false
  const hasSameLabels = Array.from({ length: category.count }, (_, at) => category.labelAt(at) === other.labelAt(at)).every(Boolean)
  return hasSameLabels && all.series.every(({ values }, at) => values.every((value, point) => value === some.series[at]?.values[point]))
}
