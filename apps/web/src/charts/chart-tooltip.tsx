import { formatter, isNumeric, type PreparedChart, textOf } from '@querypost/visualization'
import type { CSSProperties } from 'react'
import { axisNumber } from './formats.ts'

/** The part of Recharts' tooltip payload that is used. */
interface PayloadEntry {
  dataKey?: unknown
  name?: string | number
  value?: unknown
  color?: string
  payload?: { row?: number }
}

interface TooltipProps {
  keys: PreparedChart['keys']
  rows: unknown[][]
  style: CSSProperties
  // Provided by Recharts.
  active?: boolean
  label?: unknown
  payload?: PayloadEntry[]
}

/** The exact values at the pointer or the keyboard position. */
export function ChartTooltip(props: TooltipProps) {
  const { keys, rows, active, label, payload = [] } = props
  if (!active || payload.length === 0) return null
  return (
    <div
      className="max-w-72 rounded-md border border-line bg-surface px-2.5 py-2 text-xs text-ink shadow-md"
      style={props.style}
    >
      <p className="mb-1 font-medium [overflow-wrap:anywhere] empty:hidden">{headOf(label, keys)}</p>
      <ul className="grid gap-0.5">
        {payload.map((entry, at) => (
          <li key={at} className="flex items-baseline gap-2">
            <span className="size-2 shrink-0 self-center rounded-full" style={{ background: entry.color }} />
            <span className="min-w-0 flex-1 text-soft [overflow-wrap:anywhere]">{entry.name}</span>
            <span className="tabular-nums">{valueOf(entry, { keys, rows })}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function headOf(label: unknown, keys: PreparedChart['keys']): string {
  if (typeof label !== 'number' && typeof label !== 'string') return ''
  const time = [...keys.values()].find(({ use }) => use === 'time')
  return typeof label === 'number' && time ? time.label(label) : String(label)
}

/** Reads the value from the result, because plotted positions are rounded. */
function valueOf({ dataKey, value, payload }: PayloadEntry, { keys, rows }: Pick<TooltipProps, 'keys' | 'rows'>): string {
  const key = typeof dataKey === 'string' ? keys.get(dataKey) : undefined
  const row = payload?.row === undefined ? undefined : rows[payload.row]
  if (!key || !row) return axisNumber(value)
  const text = textOf(key.column.field, key.column.valueIn(row))
  if (text === null) return '–'
  if (isNumeric(key.column.field)) return formatter(key.column.field)(key.column.valueIn(row)) ?? text
  return key.use === 'time' ? key.label(key.column.valueIn(row)) : text
}
