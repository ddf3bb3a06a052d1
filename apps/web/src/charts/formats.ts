const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 2 })
const labelMaxLength = 28

export const axisNumber = (value: unknown) => (typeof value === 'number' ? compact.format(value) : String(value))
export const axisPercent = (value: unknown) => `${axisNumber(value)}%`

export function shortLabel(value: unknown): string {
  const label = String(value)
  return label.length <= labelMaxLength ? label : `${label.slice(0, labelMaxLength - 1)}…`
}
