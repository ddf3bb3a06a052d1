import type { PreparedChart } from '@querypost/visualization'

/** The point that is read: under the pointer, or chosen by keyboard. `series` is null where all series at a category are read. */
export interface ActivePoint {
  series: number | null
  point: number
}

export interface ReadPoint {
  title: string
  lines: { name: string; text: string; color: string | null }[]
}

/** Charts with shared categories show all series at once; others show a single mark. */
export const hasSharedCategories = ({ shape }: PreparedChart) =>
  shape.kind === 'line' || shape.kind === 'bar' || shape.kind === 'area' || shape.kind === 'composed' || shape.kind === 'histogram'

/** All points in reading order. */
export function pointsOf(prepared: PreparedChart): ActivePoint[] {
  if (hasSharedCategories(prepared)) return Array.from({ length: prepared.category!.count }, (_, point) => ({ series: null, point }))
  return prepared.series.flatMap(({ values }, series) => values.flatMap((value, point) => (value === null ? [] : [{ series, point }])))
}

/** What a point says: exact values, formatted as in the table. Hidden series are left out. */
export function readPoint(prepared: PreparedChart, { series, point }: ActivePoint, hidden: ReadonlySet<string>): ReadPoint {
  const { category, verticalCategory } = prepared
  if (series === null) {
    const lines = prepared.series.flatMap((each) =>
      hidden.has(each.name) || (each.derivedFrom !== null && each.values[point] === null)
        ? []
        : [{ name: prepared.shape.kind === 'histogram' ? 'Rows' : each.name, text: each.textAt(point), color: null }],
    )
    return { title: category!.labelAt(point), lines }
  }
  const drawn = prepared.series[series]!
  const value = { name: drawn.name, text: drawn.textAt(point), color: null }
  if (drawn.places) {
    const { shape } = prepared
    const size = drawn.places.sizeTextAt(point)
    return {
      title: prepared.series.length > 1 ? drawn.name : '',
      lines: [
        { name: shape.categoryTitle ?? category?.title ?? 'Row', text: drawn.places.xTextAt(point), color: null },
        { ...value, name: shape.valueTitle ?? drawn.field.name },
        ...(size === null ? [] : [{ name: 'Size', text: size, color: null }]),
      ],
    }
  }
  const cell = drawn.cells?.[point]
  const title = cell ? `${category!.labelAt(cell.x)}, ${verticalCategory!.labelAt(cell.y)}` : category!.labelAt(point)
  return { title, lines: [value] }
}

/** The label of the category that a mark stands at. */
export const titleOf = (prepared: PreparedChart, at: ActivePoint) => readPoint(prepared, at, new Set()).title
