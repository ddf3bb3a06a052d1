import { type PreparedChart, textProp } from '@querypost/visualization'

/** The interval each series covers at each point. Stacked series start where the one below ends. Null for a missing value. */
export type Band = { from: number; to: number } | null

export function bandsOf({ element, points, shape }: PreparedChart): Band[][] {
  const isShare = element.props['stackOffset'] === 'expand'
  const drawn = keyedSeries({ element })
  const sums = points.map(() => new Map<string, number>())
  const totals = points.map((point) => {
    const values = new Map<string, number>()
    drawn.forEach((key, at) => {
      const stack = shape.series[at]!.stackId
      const value = point[key]
      if (stack !== null && typeof value === 'number') values.set(stack, (values.get(stack) ?? 0) + Math.abs(value))
    })
    return values
  })
  return drawn.map((key, at) => {
    const { stackId } = shape.series[at]!
    return points.map((point, row) => {
      const value = point[key]
      if (typeof value !== 'number') return null
      if (stackId === null) return { from: 0, to: value }
      const from = sums[row]!.get(stackId) ?? 0
      const part = isShare ? value / (totals[row]!.get(stackId) || 1) : value
      sums[row]!.set(stackId, from + part)
      return { from, to: from + part }
    })
  })
}

const seriesParts = new Set(['Line', 'Bar', 'Area', 'Scatter', 'Pie'])

/** The data keys of the series, in order. */
export function keyedSeries({ element }: Pick<PreparedChart, 'element'>): string[] {
  const drawn = element.children.filter(({ name }) => seriesParts.has(name))
  return drawn.map((part) => textProp(part, 'dataKey') ?? 'missing')
}
