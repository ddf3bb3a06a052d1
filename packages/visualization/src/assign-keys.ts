import type { ChartElement, ChartProps } from './chart-element.ts'
import { type Column, findColumn } from './columns.ts'
import { isNumeric, isTime, numberOf, textOf, timeOf } from './fields.ts'
import type { ChartInput, ColumnUse, KeyedChart, KeyUse } from './prepared-chart.ts'
import { timeLabels } from './time-labels.ts'

export function assignKeys({ fields, rows, element, locale }: ChartInput): KeyedChart {
  const keys = new Map<string, KeyUse>()
  const keyOf = new Map<string, string>()

  function key(name: string, use: ColumnUse): string {
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
    // A ring without a `nameKey` takes its names from a column called `name`, if there is one.
    const nameKey = part.props['nameKey'] ?? (part.name === 'Pie' && findColumn(fields, 'name') ? 'name' : undefined)
    const column = typeof dataKey === 'string' ? findColumn(fields, dataKey) : undefined
    const use = column && useOf(part, { isScatter: element.name === 'ScatterChart', column })
    return {
      ...part,
      props: {
        ...part.props,
        ...(use && axisDefaults(part, use)),
        // Readers see the column's own name.
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

function useOf(part: ChartElement, { isScatter, column }: { isScatter: boolean; column: Column }): ColumnUse {
  if (labelParts.has(part.name)) return 'label'
  if (part.name !== 'XAxis' && part.name !== 'YAxis') return 'number'
  const canBeNumber = isNumeric(column.field) || isTime(column.field)
  const defaultType = part.name === 'YAxis' || (isScatter && canBeNumber) ? 'number' : 'category'
  const isNumber = (part.props['type'] ?? (part.props['scale'] === 'time' ? 'number' : defaultType)) === 'number'
  if (!isNumber) return 'label'
  return isTime(column.field) ? 'time' : 'number'
}

/** A time axis starts at the first moment, not in 1970; and axes of a scatter chart are numeric. */
function axisDefaults(part: ChartElement, use: ColumnUse): ChartProps {
  if (part.name !== 'XAxis' && part.name !== 'YAxis') return {}
  if (use === 'label') return { type: 'category' }
  if (use === 'number') return { type: 'number' }
  return { type: 'number', scale: 'time', domain: part.props['domain'] ?? ['dataMin', 'dataMax'] }
}
