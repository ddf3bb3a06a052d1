import { memo } from 'react'
import type { Field } from '../api/first-rows.ts'
import { cellText, isNumeric } from './cell.ts'

const alignment = (field: Field) => (isNumeric(field.type) ? 'number' : undefined)

/** About as many characters as the widest column shows. */
const widestCharacters = 60

function Cell({ field, value }: { field: Field; value: unknown }) {
  const text = cellText(field.type, value)
  return (
    <td className={alignment(field)} title={text && text.length > widestCharacters ? text : undefined}>
      {text ?? <span className="null">null</span>}
    </td>
  )
}

/** Columns and rows are known by their places: names may repeat. */
export const ResultTable = memo(function ResultTable({ fields, rows }: { fields: Field[]; rows: unknown[][] }) {
  return (
    <div className="table-box" tabIndex={0} role="group" aria-label="Rows of the result">
      <table>
        <thead>
          <tr>
            {fields.map((field, at) => (
              <th key={at} scope="col" className={alignment(field)}>
                {field.name}
                <span className="type">{field.type === 'timestamp' ? 'timestamp, UTC' : field.type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowAt) => (
            <tr key={rowAt}>
              {fields.map((field, at) => (
                <Cell key={at} field={field} value={row[at]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="soft no-rows">The query found no rows.</p>}
    </div>
  )
})
