import type { ErrorPosition } from '../../model/run.ts'

/**
 * The line and column of a byte offset in the SQL. Null when the offset does not belong to this text: errors inside a view carry
 * offsets into the view's own SQL. So if DuckDB also names what it did not find, that name must appear at the offset.
 */
export function positionAt(sql: string, place: { offsetBytes: number; name: string | undefined }): ErrorPosition | null {
  const bytes = Buffer.from(sql)
  const { offsetBytes, name } = place
  if (!Number.isInteger(offsetBytes) || offsetBytes < 0 || offsetBytes > bytes.length) return null
  const before = bytes.subarray(0, offsetBytes).toString()
  if (name !== undefined && !nameAppearsAt(sql.slice(before.length), name)) return null
  const lines = before.split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

/** The name may be quoted, or come after those of its schema and table. */
function nameAppearsAt(text: string, name: string): boolean {
  const qualified = text.slice(0, name.length * 2 + 128).toLowerCase()
  return qualified.replaceAll('""', '"').includes(name.toLowerCase())
}
