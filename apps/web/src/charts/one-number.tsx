import { exactNumber, type Field, isNumeric, textOf } from '@querypost/visualization'

/** Shows one value in large type. Decimals and long integers arrive as text and stay exact. */
export function OneNumber(props: { field: Field; value: unknown; unit?: string | null }) {
  const { field, value, unit } = props
  const text = textOf(field, value)
  const exact = text !== null && isNumeric(field) ? exactNumber(text) : null
  return (
    <p className="grid gap-1 py-2">
      <span className="text-4xl font-semibold tracking-tight tabular-nums [overflow-wrap:anywhere]">
        {exact ?? text ?? '–'}
        {unit}
      </span>
      <span className="text-soft">{field.name}</span>
    </p>
  )
}
