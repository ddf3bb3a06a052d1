import { type AlertRows, alertLimits } from '../../../model/alert.ts'
import { sampleBytesMax } from '../../../model/change-feed.ts'

/** The new rows of several changes together, as far as they have the columns of the last one. Undefined if there are none. */
export function mergeNewRows(found: readonly AlertRows[]): AlertRows | undefined {
  const last = found.at(-1)
  if (!last) return undefined
  const columns = JSON.stringify(last.fields)
  const same = found.filter(({ fields }) => JSON.stringify(fields) === columns)
  return {
    count: same.reduce((sum, { count }) => sum + count, 0),
    fields: last.fields,
    rows: same.flatMap(({ rows }) => rows).slice(0, alertLimits.rows),
  }
}

/** Rows as objects for an event: the first ones, as many as fit. */
export function newRowObjects({ fields, rows }: AlertRows): Record<string, unknown>[] {
  const objects: Record<string, unknown>[] = []
  let sizeBytes = 0
  for (const row of rows) {
    const object = Object.fromEntries(fields.map(({ name }, at) => [name, row[at]]))
    sizeBytes += Buffer.byteLength(JSON.stringify(object))
    if (sizeBytes > sampleBytesMax) break
    objects.push(object)
  }
  return objects
}
