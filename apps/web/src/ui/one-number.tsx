import type { Field } from '../api/first-rows.ts'
import { cellText, isNumeric } from './cell.ts'

const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 })

/** A result that is one value, large. Decimals and long integers come as text, and stay exact. */
export function OneNumber({ field, value }: { field: Field; value: unknown }) {
  const text = cellText(field.type, value)
  const isFinite = isNumeric(field.type) && text !== null && /^-?\d+(\.\d+)?$/.test(text)
  return (
    <p className="one-number">
      <span className="value">{isFinite ? grouped.format(text as `${number}`) : (text ?? '–')}</span>
      <span className="soft">{field.name}</span>
    </p>
  )
}
