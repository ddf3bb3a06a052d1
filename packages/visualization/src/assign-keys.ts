import type { ChartElement, ChartProps } from './chart-element.ts'
import { type Column, findColumn } from './columns.ts'
import { isNumeric, isTime, numberOf, textOf, timeOf } from './fields.ts'
import type { ChartInput, ChartPoint } from './prepare.ts'
import { timeLabels } from './time-labels.ts'

/**
 * A column's name may be any text, and drawing libraries read names as paths into objects. So each use of a column gets
 * a *key* of ours (`label0`, `number1`), and the chart's elements name those instead.
 *
 * A use is a *label* (text at a category), a *number*, or a *time* (milliseconds, on an axis that is true to time).
 */
export interface KeyedChart {
  element: ChartElement
  keys: ReadonlyMap<string, KeyUse>
  pointOf(row: readonly unknown[]): Omit<ChartPoint, 'row'>
}

export interface KeyUse {
  use: Use
  column: Column
  /** As it is shown on an axis. */
  label(value: unknown): string
}

type Use = 'label' | 'number' | 'time'

export function assignKeys({ fields, rows, element, locale }: ChartInput): KeyedChart {
  const keys = new Map<string, KeyUse>()
  const keyOf = new Map<string, string>()

  function key(name: string, use: Use): string {
    const known = keyOf.get(`${use} ${name}`)
    const column = findColumn(fields, name)
    if (known !== undefined || !column) return known ?? 'missing'
    const made = `${use}${keys.size}`
    keyOf.set(`${use} ${name}`, made)
    keys.set(made, { use, column, label: labelsOf(column) })
    return made
  }

  function labelsOf(column: Column): (value: unknown) => string {
    if (isTime(column.field)) return timeLabels(rows.map((row) => column.valueIn(row)), locale)
    return (value) => textOf(column.field, value) ?? 'null'
  }

  function withKeys(part: ChartElement): ChartElement {
    const { dataKey } = part.props
    // A ring that does not say so takes its names from a column of that name, if there is one.
    const nameKey = part.props['nameKey'] ?? (part.name === 'Pie' && findColumn(fields, 'name') ? 'name' : undefined)
    const column = typeof dataKey === 'string' ? findColumn(fields, dataKey) : undefined
    const use = column && useOf(part, { isScatter: element.name === 'ScatterChart', column })
    return {
      ...part,
      props: {
        ...part.props,
        ...(use && axisDefaults(part, use)),
        // What a reader sees is the column's own name.
        ...(typeof dataKey === 'string' && { name: part.props['name'] ?? dataKey, dataKey: key(dataKey, use ?? 'number') }),
        ...(typeof nameKey === 'string' && { nameKey: key(nameKey, 'label') }),
      },
      children: part.children.map(withKeys),
    }
  }

  const keyed = withKeys(element)
  return {
    element: keyed,
    keys,
    pointOf: (row) => Object.fromEntries([...keys].map(([name, each]) => [name, valueFor(each, row)])),
  }
}

function valueFor({ use, column, label }: KeyUse, row: readonly unknown[]): string | number | null {
  const value = column.valueIn(row)
  if (use === 'number') return numberOf(value)
  return use === 'time' ? timeOf(value) : label(value)
}

const labelParts = new Set(['LabelList', 'Brush'])

function useOf(part: ChartElement, { isScatter, column }: { isScatter: boolean; column: Column }): Use {
  if (labelParts.has(part.name)) return 'label'
  if (part.name !== 'XAxis' && part.name !== 'YAxis') return 'number'
  const canBeNumber = isNumeric(column.field) || isTime(column.field)
  const usual = part.name === 'YAxis' || (isScatter && canBeNumber) ? 'number' : 'category'
  const isNumber = (part.props['type'] ?? (part.props['scale'] === 'time' ? 'number' : usual)) === 'number'
  if (!isNumber) return 'label'
  return isTime(column.field) ? 'time' : 'number'
}

/** An axis that is true to time begins at the first moment, not in 1970; and a scatter chart's is of numbers. */
function axisDefaults(part: ChartElement, use: Use): ChartProps {
  if (part.name !== 'XAxis' && part.name !== 'YAxis') return {}
  if (use === 'label') return { type: 'category' }
  if (use === 'number') return { type: 'number' }
  return { type: 'number', scale: 'time', domain: part.props['domain'] ?? ['dataMin', 'dataMax'] }
}
