import { type ChartElement, type ChartProps, element, everyElement, textProp } from './chart-element.ts'

/**
 * A visualization of type `number` shows one value: of the first row, or, if `timeKey` names a column of times, of the latest one. With
 * an empty jsxConfig it is that of the first column; otherwise that of the first part that names a column.
 */
export interface ShownNumber {
  key: string | null
  caption: string | null
  unit: string | null
  timeKey?: string | null
  /** Whether to compare with the period before. */
  isCompared?: boolean
  target?: number | null
  hasSparkline?: boolean
  /** Whether a decrease is good news, as for costs. */
  isLowerBetter?: boolean
}

export function readNumber(chart: ChartElement | null): Required<ShownNumber> {
  const part = chart && everyElement(chart).find((each) => textProp(each, 'dataKey') !== undefined)
  const text = (name: string) => (part ? (textProp(part, name) ?? null) : null)
  const target = part?.props['target']
  return {
    key: text('dataKey'),
    caption: text('name'),
    unit: text('unit'),
    timeKey: text('timeKey'),
    isCompared: text('compare') === 'previous',
    target: typeof target === 'number' ? target : null,
    hasSparkline: part?.props['sparkline'] === true,
    isLowerBetter: part?.props['isLowerBetter'] === true,
  }
}

/** Null if there is nothing to configure. */
export function makeNumber(shown: ShownNumber): ChartElement | null {
  const { key, caption, unit, timeKey, isCompared, target, hasSparkline, isLowerBetter } = shown
  if (key === null) return null
  const props: ChartProps = {
    dataKey: key,
    ...(caption && { name: caption }),
    ...(unit && { unit }),
    ...(timeKey && { timeKey }),
    ...(isCompared && { compare: 'previous' }),
    ...(target !== null && target !== undefined && { target }),
    ...(hasSparkline && { sparkline: true }),
    ...(isLowerBetter && { isLowerBetter: true }),
  }
  return element('NumberChart', {}, [element('Number', props)])
}
