import type { ChartElement } from './chart-element.ts'
import { type ChartKind, chartNames, isCartesian, kindOf, readChoice } from './chart-choice.ts'
import { setHorizontal } from './edit.ts'
import { isRightAxis, mapSeries, withoutParts, withProp } from './edit-parts.ts'
import { drawAs } from './edit-series.ts'
import { defaultComboPart, makeChart } from './make-chart.ts'

/**
 * The same columns, drawn as another type. Lines, bars, areas and combos share their axes, so everything else in the chart is kept;
 * between other types only the columns, their names and their colors are.
 */
export function changeKind(chart: ChartElement, kind: ChartKind): ChartElement {
  const before = kindOf(chart)
  if (before === kind) return chart
  if (isCartesian(before) && isCartesian(kind)) return redrawn(chart, kind)
  const { hasLegend, ...choice } = readChoice(chart)
  // Between axes that are shared, the legend is a choice; other types always, or never, have one.
  const isLegendChosen = isCartesian(before) && kind === 'scatter'
  return makeChart({ ...choice, kind, ...(isLegendChosen && { hasLegend: hasLegend === true }) })
}

function redrawn(chart: ChartElement, kind: 'line' | 'bar' | 'area' | 'combo'): ChartElement {
  const upright = setHorizontal(chart, kind === 'bar' && chart.props['layout'] === 'vertical')
  const named = { ...upright, name: chartNames[kind] }
  const isStackable = kind === 'bar' || kind === 'area'
  const drawn = mapSeries(named, (part, at) => {
    const series = drawAs(part, kind === 'combo' ? defaultComboPart(at) : kind)
    const split = kind === 'combo' ? withProp(withProp(series, 'seriesKey', null), 'topN', null) : series
    const stacked = isStackable ? split : withProp(split, 'stackId', null)
    return [kind === 'combo' ? stacked : withProp(stacked, 'yAxisId', null)]
  })
  const onLeft = kind === 'combo' ? drawn : withoutParts(drawn, isRightAxis)
  return isStackable ? onLeft : withProp(onLeft, 'stackOffset', null)
}
