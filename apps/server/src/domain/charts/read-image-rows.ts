import { columnsOf, parseJsxConfig, shownColumns, type Visualization } from '@querypost/visualization'
import type { Field } from '../../model/result.ts'
import { readRows } from '../../results/read-rows.ts'
import type { CachedResult } from '../results/results.ts'
import type { ImageRows } from './draw-image.ts'
import { tablePreview } from './draw/plain.ts'

const maxRows = 20_000
const maxTextLength = 200

/** Reads as much of a result as the image needs: a bounded number of rows, and only the columns that are drawn. */
export async function readImageRows(result: CachedResult, visualization: Visualization | null): Promise<ImageRows> {
  const { fields, batches } = await readRows(await result.open())
  const wanted = wantedColumns(fields, visualization)
  const most = wanted.isChart ? maxRows : tablePreview.rows
  const rows: unknown[][] = []
  for await (const batch of batches) {
    for (const row of batch.slice(0, most - rows.length)) rows.push(wanted.places.map((at) => shortened(row[at])))
    if (rows.length >= most) break
  }
  return {
    fields: wanted.places.map((at) => fields[at]!),
    rows,
    // A table or a number never claims to show everything.
    isWhole: !wanted.isChart || rows.length === result.run.rowCount,
    asOf: result.run.completedAt!,
  }
}

function wantedColumns(fields: Field[], visualization: Visualization | null): { places: number[]; isChart: boolean } {
  const all = [...fields.keys()]
  if (!visualization || visualization.type === 'table') {
    return { places: shownColumns(fields, visualization?.columns).slice(0, tablePreview.columns), isChart: false }
  }
  const names = namedIn(visualization.jsxConfig)
  // A path into a JSON column needs the whole column.
  const isNamed = (column: string) =>
    names.some((name) => name === column || name.startsWith(`${column}.`) || name.startsWith(`${column}[`))
  const named = all.filter((at) => isNamed(fields[at]!.name))
  const isNumber = visualization.type === 'number'
  // A number over time needs all periods.
  const isFirstRow = isNumber && !visualization.jsxConfig.includes('timeKey')
  return { places: isNumber && named.length === 0 ? all.slice(0, 1) : named, isChart: !isFirstRow }
}

function namedIn(jsxConfig: string): string[] {
  try {
    return jsxConfig.trim() === '' ? [] : columnsOf(parseJsxConfig(jsxConfig))
  } catch {
    // The drawing code reports what is wrong with it.
    return []
  }
}

const shortened = (value: unknown) =>
  typeof value === 'string' && value.length > maxTextLength ? value.slice(0, maxTextLength) : value
