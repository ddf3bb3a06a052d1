import { type ColumnSettings, columnTitle } from '@querypost/visualization'
import type { Field, FirstRows } from '../../../api/first-rows.ts'
import { arrangeColumns } from '../../../results/arrange-columns.ts'
import { cellTint } from '../../../results/cell-tint.ts'
import { isNumeric } from '../../../results/cell.ts'
import { classNames } from '../../../ui/class-names.ts'

const count = new Intl.NumberFormat()
const alignment = ({ type }: Field) => isNumeric(type) && 'text-right tabular-nums'

/** Stays in view while the other columns scroll. */
const firstColumn = 'sticky left-0 z-1 bg-surface max-sm:max-w-40'

/** The rows of a result that a chat stores: few enough for a plain table. */
export function PreviewTable(props: { preview: FirstRows; columns: ColumnSettings[] | undefined; rowCount: number | null }) {
  const { rowCount } = props
  const { fields, rows, settings, formats, colors } = arrangeColumns(props.preview, props.columns)
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
                  {columnTitle(field, settings[at])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((row, rowAt) => (
              <tr key={rowAt}>
                {fields.map((field, at) => {
                  const color = colors[at]?.(row[at]) ?? null
                  return (
                    <td
                      key={at}
                      className={classNames('max-w-96 truncate px-2.5 py-1', at === 0 && firstColumn, alignment(field))}
                      style={color === null ? undefined : cellTint(color)}
                    >
                      {formats[at]!(row[at]) ?? <span className="text-soft italic">null</span>}
                    </td>
                  )
                })}
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
