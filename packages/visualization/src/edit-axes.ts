import type { ChartElement } from './chart-element.ts'
import { type AxisRole, axisOf, mapAxis, withProp } from './edit-parts.ts'

/** The ends of an axis; null where the values decide. */
export interface AxisLimits {
  min: number | null
  max: number | null
}

export function readLimits(chart: ChartElement, role: AxisRole): AxisLimits {
  const [min = null, max = null] = domainOf(chart, role)
  return { min: typeof min === 'number' ? min : null, max: typeof max === 'number' ? max : null }
}

export function setLimits(chart: ChartElement, role: AxisRole, { min, max }: AxisLimits): ChartElement {
  const [oldMin, oldMax] = domainOf(chart, role)
  const domain = [min ?? wordOr(oldMin), max ?? wordOr(oldMax)]
  const isDefault = domain.every((end) => end === 'auto')
  return mapAxis(chart, role, (axis) => withProp(axis, 'domain', isDefault ? null : domain))
}

function domainOf(chart: ChartElement, role: AxisRole) {
  const domain = axisOf(chart, role)?.props['domain']
  return Array.isArray(domain) ? domain : []
}

/** A handwritten end such as `dataMax` is kept until a number replaces it. */
const wordOr = (end: unknown) => (typeof end === 'string' ? end : 'auto')

export const isLogarithmic = (chart: ChartElement, role: AxisRole) => axisOf(chart, role)?.props['scale'] === 'log'

export function setLogarithmic(chart: ChartElement, role: AxisRole, isLog: boolean): ChartElement {
  return mapAxis(chart, role, (axis) => withProp(axis, 'scale', isLog ? 'log' : null))
}

/** How periods without rows are drawn: as a gap, as zero, or with the values around them connected. */
export const missingChoices = ['gap', 'zero', 'connect'] as const
export type MissingChoice = (typeof missingChoices)[number]

export function readMissing(chart: ChartElement): MissingChoice | null {
  return missingChoices.find((choice) => choice === chart.props['missing']) ?? null
}

export const setMissing = (chart: ChartElement, choice: MissingChoice | null) => withProp(chart, 'missing', choice)
