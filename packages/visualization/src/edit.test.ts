import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeKind } from './change-kind.ts'
import { type ChartKind, chartNames, hasManySeries, readChoice } from './chart-choice.ts'
import { setCategory, setHorizontal, setPart, setSize, setSplit, setTitle, whyNotEditable } from './edit.ts'
import { setLimits, setLogarithmic, setMissing } from './edit-axes.ts'
import { addLine, editLine, removeLine } from './edit-lines.ts'
import { addSeries, editSeries, removeSeries, setArrangement, setMovingAverage, setTopN, setTrend } from './edit-series.ts'
import { makeChart } from './make-chart.ts'
import { parseJsxConfig } from './parse.ts'
import { readShape } from './shape.ts'
import { writeJsxConfig } from './write.ts'

const hand = `<BarChart barGap={2}>
  <CartesianGrid strokeDasharray="3 3" vertical={false} />
  <XAxis dataKey="month" minTickGap={32} />
  <YAxis width={72} />
  <Tooltip />
  <Bar dataKey="revenue" name="Revenue (€)" fill="#4f46e5" radius={[4, 4, 0, 0]} />
</BarChart>`
const chart = parseJsxConfig(hand)
const changed = (edit: (of: typeof chart) => typeof chart) => writeJsxConfig(edit(chart))
const target = { on: 'value', at: 1000, label: 'Target', color: null } as const
const note = { on: 'category', at: '2025-03-01', label: 'New prices', color: '#aa0000' } as const

describe('a change leaves everything else as it was written', () => {
  test.each<[string, (of: typeof chart) => typeof chart, string, string]>([
    ['the category', (of) => setCategory(of, 'week'), 'dataKey="month"', 'dataKey="week"'],
    ['a series’ column', (of) => editSeries(of, 0, { key: 'profit' }), 'dataKey="revenue"', 'dataKey="profit"'],
    ['a series’ name', (of) => editSeries(of, 0, { name: 'Profit' }), 'name="Revenue (€)"', 'name="Profit"'],
    ['a name taken away', (of) => editSeries(of, 0, { name: '' }), ' name="Revenue (€)"', ''],
    ['a color', (of) => editSeries(of, 0, { color: '#111111' }), '#4f46e5', '#111111'],
    ['no color', (of) => editSeries(of, 0, { color: '' }), ' fill="#4f46e5"', ''],
    ['the legend', (of) => setPart(of, 'Legend', true), '  <Bar ', '  <Legend />\n  <Bar '],
    ['the grid', (of) => setPart(of, 'CartesianGrid', false), '  <CartesianGrid strokeDasharray="3 3" vertical={false} />\n', ''],
    ['a title', (of) => setTitle(of, 'category', 'Month'), ' minTickGap={32}', ' minTickGap={32} label={{ value: "Month", position: "insideBottom" }}'],
    ['another series', (of) => addSeries(of, { key: 'cost' }), '\n</BarChart>', '\n  <Bar dataKey="cost" />\n</BarChart>'],
    ['a split', (of) => setTopN(setSplit(of, 'country'), 5), '0]} />', '0]} seriesKey="country" topN={5} />'],
    ['a trend', (of) => setTrend(of, true), '0]} />', '0]} trend="linear" />'],
    ['a moving average', (of) => setMovingAverage(of, 7), '0]} />', '0]} movingAverage={7} />'],
    ['missing periods', (of) => setMissing(of, 'zero'), 'barGap={2}', 'barGap={2} missing="zero"'],
    ['a logarithmic scale', (of) => setLogarithmic(of, 'value', true), 'width={72}', 'width={72} scale="log"'],
    ['a limit', (of) => setLimits(of, 'value', { min: 10, max: null }), 'width={72}', 'width={72} domain={[10, "auto"]}'],
    ['a target', (of) => addLine(of, target), '\n</BarChart>', '\n  <ReferenceLine y={1000} label="Target" />\n</BarChart>'],
    ['a note', (of) => addLine(of, note), '\n</BarChart>', '\n  <ReferenceLine x="2025-03-01" label="New prices" stroke="#aa0000" />\n</BarChart>'],
  ])('%s', (_, edit, from, to) => expect(changed(edit)).toBe(hand.replace(from, () => to)))

  test.each<[string, (of: typeof chart) => typeof chart]>([
    ['a series', (of) => removeSeries(addSeries(of, { key: 'cost' }), 1)],
    ['the legend', (of) => setPart(setPart(of, 'Legend', true), 'Legend', false)],
    ['a title', (of) => setTitle(setTitle(of, 'value', 'Euro'), 'value', '')],
    ['shares of the whole', (of) => setArrangement(setArrangement(of, 'expanded'), 'grouped')],
    ['a split and its top N', (of) => setSplit(setTopN(setSplit(of, 'country'), 3), null)],
    ['a trend', (of) => setTrend(setTrend(of, true), false)],
    ['a moving average', (of) => setMovingAverage(setMovingAverage(of, 3), null)],
    ['missing periods', (of) => setMissing(setMissing(of, 'gap'), null)],
    ['a logarithmic scale', (of) => setLogarithmic(setLogarithmic(of, 'value', true), 'value', false)],
    ['limits', (of) => setLimits(setLimits(of, 'value', { min: 1, max: 9 }), 'value', { min: null, max: null })],
    ['a line', (of) => removeLine(addLine(of, target), 0)],
    ['another type and back', (of) => changeKind(changeKind(of, 'line'), 'bar')],
  ])('switching %s on and off restores the original', (_, edit) => expect(changed(edit)).toBe(hand))
})

test('horizontal bars keep their categories, titles, grid and lines', () => {
  const upright = addLine(setTitle(chart, 'category', 'Month'), target)
  const lying = setHorizontal(upright, true)
  expect(readShape(lying)).toMatchObject({ isHorizontal: true, categoryKey: 'month', categoryTitle: 'Month' })
  expect(lying.children[0]!.props).toEqual({ strokeDasharray: '3 3', horizontal: false })
  expect(lying.children.at(-1)!.props).toEqual({ x: 1000, label: 'Target' })
  expect(readShape(setHorizontal(lying, false))).toEqual(readShape(upright))
})

test('a line keeps the settings of its label', () => {
  const drawn = parseJsxConfig('<LineChart><ReferenceLine y={5} label={{ value: "Old", position: "top" }} /></LineChart>')
  expect(editLine(drawn, 0, { label: 'New', at: 6 }).children[0]!.props).toEqual({ y: 6, label: { value: 'New', position: 'top' } })
})

test('a limit replaces only its own end', () => {
  const drawn = parseJsxConfig('<LineChart><YAxis domain={["dataMin", 5]} /></LineChart>')
  expect(setLimits(drawn, 'value', { min: null, max: 9 }).children[0]!.props).toEqual({ domain: ['dataMin', 9] })
})

test('a new series joins the stack and the split', () => {
  const stacked = setArrangement(setSplit(addSeries(chart, { key: 'a' }), 'country'), 'expanded')
  const more = addSeries(stacked, { key: 'b' })
  expect(readChoice(more)).toMatchObject({ arrangement: 'expanded', splitKey: 'country' })
  expect(more.children.at(-1)!.props).toEqual({ dataKey: 'b', stackId: 'all', seriesKey: 'country' })
})

test('the axis on the right is there while a series uses it', () => {
  const combo = makeChart({ kind: 'combo', categoryKey: 'month', series: [{ key: 'revenue' }, { key: 'orders' }] })
  const right = editSeries(combo, 1, { isOnRight: true })
  expect(writeJsxConfig(right)).toContain('<YAxis />\n  <YAxis yAxisId="right" orientation="right" />')
  expect(whyNotEditable(setTitle(right, 'right', 'Orders'))).toBeNull()
  expect(editSeries(right, 1, { isOnRight: false })).toEqual(combo)
  expect(removeSeries(right, 1)).toEqual(removeSeries(combo, 1))
})

test('a series of a combo keeps its color when it is drawn differently', () => {
  const combo = makeChart({ kind: 'combo', categoryKey: 'month', series: [{ key: 'revenue', color: '#123456' }] })
  const area = editSeries(combo, 0, { drawnAs: 'area' })
  expect(area.children.at(-1)).toMatchObject({ name: 'Area', props: { type: 'monotone', stroke: '#123456', fill: '#123456' } })
  expect(editSeries(area, 0, { drawnAs: 'bar' })).toEqual(combo)
})

const kinds = Object.keys(chartNames) as ChartKind[]
const choice = { categoryKey: 'month', splitKey: 'country', sizeKey: 'orders' }

test.each(kinds)('a made %s is written, parsed and edited without a change', (kind) => {
  const made = makeChart({ ...choice, kind, series: [{ key: 'revenue', name: 'R', color: '#123456' }, { key: 'cost' }] })
  expect(whyNotEditable(made)).toBeNull()
  expect(parseJsxConfig(writeJsxConfig(made))).toEqual(made)
  const { series, ...read } = readChoice(made)
  expect(series.map(({ key }) => key)).toEqual(hasManySeries(kind) ? ['revenue', 'cost'] : ['revenue'])
  expect(read.categoryKey).toBe(kind === 'histogram' ? null : 'month')
  const isSplit = kind === 'line' || kind === 'bar' || kind === 'area' || kind === 'scatter' || kind === 'heatmap' || kind === 'pivot'
  expect(read.splitKey).toBe(isSplit ? 'country' : null)
  expect(read.sizeKey).toBe(kind === 'scatter' ? 'orders' : null)
})

test('every type keeps the columns of every other', () => {
  const others = kinds.filter((kind) => kind !== 'histogram')
  fc.assert(
    fc.property(fc.constantFrom(...others), fc.array(fc.constantFrom(...others), { maxLength: 4 }), (first, path) => {
      const made = makeChart({ kind: first, categoryKey: 'month', series: [{ key: 'revenue', name: 'R', color: '#123456' }] })
      const end = path.reduce(changeKind, made)
      expect(whyNotEditable(end)).toBeNull()
      expect(parseJsxConfig(writeJsxConfig(end))).toEqual(end)
      expect(readChoice(end)).toMatchObject({ kind: path.at(-1) ?? first, categoryKey: 'month', series: [{ key: 'revenue' }] })
    }),
    { seed: 5, numRuns: 200 },
  )
})

test('lines, bars, areas and combos keep everything that they share', () => {
  const drawn = parseJsxConfig(`<BarChart missing="zero" stackOffset="expand">
    <XAxis dataKey="month" /><YAxis scale="log" domain={[1, 100]} />
    <Bar dataKey="revenue" trend="linear" stackId="all" /><ReferenceLine y={5} label="Target" />
  </BarChart>`)
  expect(writeJsxConfig(changeKind(drawn, 'line'))).toBe(`<LineChart missing="zero">
  <XAxis dataKey="month" />
  <YAxis scale="log" domain={[1, 100]} />
  <Line dataKey="revenue" type="monotone" trend="linear" />
  <ReferenceLine y={5} label="Target" />
</LineChart>`)
})

test('the columns of a scatter chart are on its axes', () => {
  const made = makeChart({ kind: 'scatter', categoryKey: 'a', series: [{ key: 'b' }] })
  const edited = setSize(setSplit(editSeries(made, 0, { key: 'c' }), 'kind'), 'weight')
  expect(readChoice(edited)).toMatchObject({ categoryKey: 'a', series: [{ key: 'c' }], splitKey: 'kind', sizeKey: 'weight' })
  expect(setSize(setSplit(edited, null), null)).toEqual(editSeries(made, 0, { key: 'c' }))
})

test.each([
  ['<ComposedChart><Bar dataKey="a" /><Scatter /></ComposedChart>', /do not belong to a combo chart/],
  ['<LineChart><YAxis /><YAxis yAxisId="right" /><Line dataKey="a" /></LineChart>', /more than one axis/],
  ['<ComposedChart><YAxis /><YAxis yAxisId="b" /><Line dataKey="a" /></ComposedChart>', /more than one axis/],
  ['<LineChart><Bar dataKey="a" /></LineChart>', /do not belong/],
  ['<LineChart><Line dataKey="a" seriesKey="b" /><Line dataKey="c" /></LineChart>', /split by different columns/],
  ['<PieChart><Pie dataKey="a" /><Pie dataKey="b" /></PieChart>', /more than one ring/],
  ['<LineChart layout="vertical"><Line dataKey="a" /></LineChart>', /horizontal/],
])('the form does not edit what it cannot show: %s', (jsx, why) => expect(whyNotEditable(parseJsxConfig(jsx))).toMatch(why))
