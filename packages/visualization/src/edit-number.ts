import { type ChartElement, element, everyElement, textProp } from './chart-element.ts'
import { chartNames, seriesParts } from './chart-choice.ts'
import { withProp } from './edit-parts.ts'

/**
 * What a person chooses for a single number. Without a column it is the first one; without a time it is the value of the first row,
 * and there is nothing to compare it with.
 */
export interface NumberChoice {
  key: string | null
  caption: string
  unit: string
  timeKey: string | null
  isCompared: boolean
  hasSparkline: boolean
  target: number | null
  isLowerBetter: boolean
}

/** `chart`: null where there is no JSX. */
export function readNumberChoice(chart: ChartElement | null): NumberChoice {
  const part = chart && numberPart(chart)
  const text = (name: string) => (part ? (textProp(part, name) ?? null) : null)
  const target = part?.props['target']
  return {
    key: text('dataKey'),
    caption: text('name') ?? '',
    unit: text('unit') ?? '',
    timeKey: text('timeKey'),
    isCompared: text('compare') === 'previous',
    hasSparkline: part?.props['sparkline'] === true,
    target: typeof target === 'number' ? target : null,
    isLowerBetter: part?.props['isLowerBetter'] === true,
  }
}

/** Numbers used to be written as the only bar of a bar chart; an edit writes them as what they are. Null: there is no JSX. */
export function editNumber(chart: ChartElement | null, change: Partial<NumberChoice>): ChartElement | null {
  const choice = { ...readNumberChoice(chart), ...change }
  const { key, timeKey } = choice
  if (key === null) return null
  const props = {
    dataKey: key,
    name: given(choice.caption),
    unit: given(choice.unit),
    timeKey,
    compare: timeKey !== null && choice.isCompared ? 'previous' : null,
    sparkline: timeKey !== null && choice.hasSparkline ? true : null,
    target: choice.target,
    isLowerBetter: choice.isLowerBetter ? true : null,
  }
  const old = chart && numberPart(chart)
  const part = element(seriesParts.number, old?.props, old?.children)
  const edited = Object.entries(props).reduce((before, [name, value]) => withProp(before, name, value), part)
  if (chart?.name !== chartNames.number) return element(chartNames.number, {}, [edited])
  return { ...chart, children: chart.children.map((each) => (each === old ? edited : each)) }
}

const numberPart = (chart: ChartElement) => everyElement(chart).find((part) => textProp(part, 'dataKey') !== undefined)
const given = (text: string) => (text === '' ? null : text)
