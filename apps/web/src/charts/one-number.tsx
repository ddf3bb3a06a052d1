import { type Field, formatCell, isPercent } from '@querypost/visualization'

/** Shows one value in large type. Decimals and long integers arrive as text and stay exact. */
export function OneNumber(props: { field: Field; value: unknown; caption?: string | null; unit?: string | null }) {
  const { field, value, caption, unit } = props
  const text = formatCell(field, value)
  return (
    <p className="grid gap-1 py-2">
      <span className="text-4xl font-semibold tracking-tight tabular-nums [overflow-wrap:anywhere]">
        {text ?? '–'}
        {/* The column's own percent sign is enough. */}
        {isPercent(field) && unit?.trim() === '%' ? '' : unit}
      </span>
      <span className="text-soft">{caption ?? field.name}</span>
    </p>
  )
}
