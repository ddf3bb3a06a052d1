import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addSeries, editSeries, isStacked, removeSeries, setCategory, setHorizontal, setPart, setStacked, setTitle, whyNotEditable,
} from './edit.ts'
import { changeKind, makeChart } from './make-chart.ts'
import { parseJsxConfig } from './parse.ts'
import { readShape, type SeriesKind } from './shape.ts'
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
  ])('%s', (_, edit, from, to) => expect(changed(edit)).toBe(hand.replace(from, () => to)))

  test('switching back and forth restores the original', () => {
    expect(changed((of) => removeSeries(addSeries(of, { key: 'cost' }), 1))).toBe(hand)
    expect(changed((of) => setPart(setPart(of, 'Legend', true), 'Legend', false))).toBe(hand)
    expect(changed((of) => setTitle(setTitle(of, 'value', 'Euro'), 'value', ''))).toBe(hand)
    expect(changed((of) => setStacked(setStacked(of, true), false))).toBe(hand)
  })
})

test('horizontal bars keep their categories, titles and grid', () => {
  const lying = setHorizontal(setTitle(chart, 'category', 'Month'), true)
  expect(readShape(lying)).toMatchObject({ isHorizontal: true, categoryKey: 'month', categoryTitle: 'Month' })
  expect(lying.children[0]!.props).toEqual({ strokeDasharray: '3 3', horizontal: false })
  expect(readShape(setHorizontal(lying, false))).toEqual(readShape(setTitle(chart, 'category', 'Month')))
})

test('a new series joins the stack', () => {
  const stacked = addSeries(setStacked(addSeries(chart, { key: 'a' }), true), { key: 'b' })
  expect(isStacked(stacked)).toBe(true)
  expect(isStacked(setStacked(stacked, false))).toBe(false)
})

test('every type keeps the columns of every other', () => {
  const kinds: SeriesKind[] = ['line', 'bar', 'area', 'scatter', 'pie']
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.array(fc.constantFrom(...kinds), { maxLength: 4 }), (first, others) => {
      const made = makeChart({ kind: first, categoryKey: 'month', series: [{ key: 'revenue', name: 'R', color: '#123456' }] })
      const end = others.reduce(changeKind, made)
      expect(whyNotEditable(end)).toBeNull()
      expect(parseJsxConfig(writeJsxConfig(end))).toEqual(end)
      expect(readShape(end)).toMatchObject({ kind: others.at(-1) ?? first, categoryKey: 'month', series: [{ key: 'revenue' }] })
    }),
    { seed: 5, numRuns: 200 },
  )
})

test('the y column of a scatter chart is on its axis', () => {
  const made = makeChart({ kind: 'scatter', categoryKey: 'a', series: [{ key: 'b' }] })
  expect(readShape(editSeries(made, 0, { key: 'c' })).series[0]!.key).toBe('c')
})

test.each([
  ['<ComposedChart><Bar dataKey="a" /></ComposedChart>', /several types/],
  ['<LineChart><YAxis /><YAxis yAxisId="right" /><Line dataKey="a" /></LineChart>', /more than one axis/],
  ['<LineChart><Bar dataKey="a" /></LineChart>', /do not belong/],
  ['<PieChart><Pie dataKey="a" /><Pie dataKey="b" /></PieChart>', /more than one ring/],
  ['<LineChart layout="vertical"><Line dataKey="a" /></LineChart>', /horizontal/],
])('the form does not edit what it cannot show: %s', (jsx, why) => expect(whyNotEditable(parseJsxConfig(jsx))).toMatch(why))
