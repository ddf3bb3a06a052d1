import { type ChartElement, element, everyElement, textProp } from './chart-element.ts'
import { chartNames, seriesParts } from './chart-choice.ts'
import { withProp } from './edit-parts.ts'
import { readNumber, type ShownNumber } from './one-number.ts'

/**
 * Edits a single number. Numbers used to be written as the only bar of a bar chart; an edit writes them as what they are. `chart` and
 * the result are null where there is no JSX: then the value of the first column is shown.
 */
export function editNumber(chart: ChartElement | null, change: Partial<ShownNumber>): ChartElement | null {
  const shown = { ...readNumber(chart), ...change }
  const { key, timeKey } = shown
  if (key === null) return null
  const props = {
    dataKey: key,
    name: given(shown.caption),
    unit: given(shown.unit),
    timeKey,
    // Without a time there is nothing to compare with, and no course to draw.
    compare: timeKey !== null && shown.isCompared ? 'previous' : null,
    sparkline: timeKey !== null && shown.hasSparkline ? true : null,
    target: shown.target,
    isLowerBetter: shown.isLowerBetter ? true : null,
  }
  const old = chart && everyElement(chart).find((part) => textProp(part, 'dataKey') !== undefined)
  const part = element(seriesParts.number, old?.props, old?.children)
  const edited = Object.entries(props).reduce((before, [name, value]) => withProp(before, name, value), part)
  if (chart?.name !== chartNames.number) return element(chartNames.number, {}, [edited])
  return { ...chart, children: chart.children.map((each) => (each === old ? edited : each)) }
}

const given = (text: string | null) => (text === '' ? null : text)
