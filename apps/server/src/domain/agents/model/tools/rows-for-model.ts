import type { Field } from '../../../../model/result.ts'
import { bounds } from '../model-limits.ts'
import { withEllipsis } from '../../../../ports/cut-text.ts'
import { envelop } from '../envelope.ts'

export interface ShownRows {
  fields: Field[]
  rows: unknown[][]
}

/** Room in an answer for the text about the rows. */
const leadCharacters = 1_000

/** Formats rows for the model: one JSON line each, as many as fit, and whether these are all. */
export function presentRows(options: ShownRows & { lead: string; rowCount: number }): string {
  const columns = options.fields.map(({ name, type }) => `${JSON.stringify(name)} ${type}`).join(', ')
  const lines = [withEllipsis(`columns: ${columns}`, bounds.toolResultCharacters / 2)]
  let characters = leadCharacters + lines[0]!.length
  let shown = 0
  for (const row of options.rows) {
    const line = JSON.stringify(row.map(shortCell))
    characters += line.length + 1
    if (characters > bounds.toolResultCharacters) break
    lines.push(line)
    shown++
  }
  const count = options.rowCount === 1 ? '1 row' : `${options.rowCount} rows`
  const extent =
    shown === options.rowCount
      ? `${count}, all shown.`
      : `${count}; only the first ${shown} are shown. Aggregate or filter in SQL to see what matters.`
  return envelop(`${options.lead} ${extent}`, lines.join('\n'))
}

function shortCell(value: unknown): unknown {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > bounds.cellCharacters ? withEllipsis(text, bounds.cellCharacters) : value
}
