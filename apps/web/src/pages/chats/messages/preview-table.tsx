import { formatters } from '@querypost/visualization'
import type { Field, FirstRows } from '../../../api/first-rows.ts'
import { isNumeric } from '../../../results/cell.ts'
import { classNames } from '../../../ui/class-names.ts'

const count = new Intl.NumberFormat()
const alignment = ({ type }: Field) => isNumeric(type) && 'text-right tabular-nums'

/** Stays in view while the other columns scroll. */
const firstColumn = 'sticky left-0 z-1 bg-surface max-sm:max-w-40'

/** The rows of a result that a chat stores: few enough for a plain table. */
export function PreviewTable({ preview, rowCount }: { preview: FirstRows; rowCount: number | null }) {
  const { fields, rows } = preview
  const formats = formatters(fields, rows)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="max-h-88 overflow-auto rounded-md border border-line bg-surface" tabIndex={0} role="group" aria-label="Result rows">
        <table className="w-full text-xs">
          <thead className="sticky top-0 z-2 bg-raised">
            <tr>
              {fields.map((field, at) => (
                <th
                  key={at}
                  scope="col"
                  className={classNames(
                    'px-2.5 py-1.5 text-left font-medium whitespace-nowrap',
                    at === 0 && 'sticky left-0 bg-raised',
                    alignment(field),
                  )}
                >
                  {field.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((row, rowAt) => (
              <tr key={rowAt}>
                {fields.map((field, at) => (
                  <td key={at} className={classNames('max-w-96 truncate px-2.5 py-1', at === 0 && firstColumn, alignment(field))}>
                    {formats[at]!(row[at]) ?? <span className="text-soft italic">null</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p className="px-2.5 py-2 text-xs text-soft">The query returned no rows.</p>}
      </div>
      {rowCount !== null && rows.length < rowCount && (
        <p className="text-xs text-soft">Showing {rows.length} of {count.format(rowCount)} rows</p>
      )}
    </div>
  )
}
