import type { FirstRows } from '../../../api/first-rows.ts'
import { ResultTable } from '../../../ui/result-table.tsx'

const count = new Intl.NumberFormat()

/** The rows that a chat keeps of a result. */
export function PreviewTable({ preview, rowCount }: { preview: FirstRows; rowCount: number | null }) {
  const { fields, rows } = preview
  return (
    <>
      <ResultTable fields={fields} rows={rows} />
      {rowCount !== null && rows.length < rowCount && (
        <p className="soft small">The first {rows.length} of {count.format(rowCount)} rows.</p>
      )}
    </>
  )
}
