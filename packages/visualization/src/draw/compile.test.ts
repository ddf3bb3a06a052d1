import { describe, expect, test } from 'vitest'
import type { Field } from '../fields.ts'
import { parseJsxConfig } from '../parse.ts'
import { prepareRows } from '../prepare/prepare.ts'
import { defaultMargin } from '../visualization.ts'
import { compileChart } from './compile.ts'
import { lightTheme } from './theme.ts'

const fields: Field[] = [
  { name: 'month', type: 'date' }, { name: 'country', type: 'string' }, { name: 'revenue', type: 'decimal' }, { name: 'orders', type: 'integer' },
]
const rows = [['2025-01-01', 'Germany', '10.50', 3], ['2025-02-01', 'France', '20', 5], ['2025-03-01', 'Spain', '15', 4]]

interface CompiledSeries {
  type: string
  data: unknown[]
  showSymbol?: boolean
  yAxisIndex: number
  stack?: string
  markLine?: { data: unknown[] }
  markArea?: { data: unknown[] }
}
interface CategoryAxis {
  type: string
  inverse: boolean
  data: unknown[]
  boundaryGap: boolean
  axisLabel: { formatter(value: unknown, index: number): string }
}
interface Compiled {
  xAxis: CategoryAxis
  yAxis: { type: string; min: number; max: number; position?: string; axisLabel: { formatter(value: number): string } }[]
  series: CompiledSeries[]
}

const labelsOn = ({ data, axisLabel }: CategoryAxis) => data.map((value, index) => axisLabel.formatter(value, index))

function compile(jsx: string, given: unknown[][] = rows) {
  const prepared = prepareRows({ fields, rows: given, element: parseJsxConfig(jsx), locale: 'en' })
  const { option, legend, colorOf } = compileChart(prepared, { theme: lightTheme, marginConfig: defaultMargin, locale: 'en', hasDrawnLegend: false })
  return { option: option as unknown as Compiled, legend, colorOf }
}

test('a combo chart has a second axis, and its series know theirs', () => {
  const { option } = compile(
    '<ComposedChart><XAxis dataKey="month" /><YAxis /><YAxis yAxisId="right" orientation="right" /><Bar dataKey="revenue" /><Line dataKey="orders" yAxisId="right" /></ComposedChart>',
  )
  expect(option.series.map(({ type, yAxisIndex, data }) => [type, yAxisIndex, data])).toEqual([['bar', 0, [10.5, 20, 15]], ['line', 1, [3, 5, 4]]])
  expect(option.yAxis.map(({ position }) => position)).toEqual([undefined, 'right'])
  expect(option.xAxis).toMatchObject({ type: 'category', boundaryGap: true })
  expect(labelsOn(option.xAxis)).toEqual(['Jan 2025', 'Feb 2025', 'Mar 2025'])
})

describe('a long line', () => {
  const long = Array.from({ length: 400 }, (_, day) => [new Date(day * 86_400_000).toISOString().slice(0, 10), '', String(day), day === 7 ? null : day])

  test('is given as plain numbers, with a gap where there is no value', () => {
    const { option } = compile('<LineChart><XAxis dataKey="month" /><Line dataKey="orders" /></LineChart>', long)
    expect(option.series[0]!.data.slice(12, 18)).toEqual(Float64Array.of(6, 6, 7, Number.NaN, 8, 8))
    const overTime = compile('<LineChart><XAxis dataKey="month" scale="time" /><Line dataKey="revenue" /></LineChart>', long)
    expect(overTime.option.series[0]!.data.slice(2, 4)).toEqual(Float64Array.of(86_400_000, 1))
  })

  test('has a dot where a value stands alone', () => {
    const alone = long.map((row, day) => row.with(3, day === 6 || day === 8 ? null : day))
    const { option } = compile('<LineChart><XAxis dataKey="month" /><Line dataKey="orders" /></LineChart>', alone)
    expect(option.series[0]!.data.slice(6, 9)).toEqual(['-', { value: 7, symbol: 'circle', symbolSize: 6 }, '-'])
    expect(option.series[0]!.showSymbol).toBe(true)
  })
})

test('an axis has its limits and its scale', () => {
  const { option } = compile('<LineChart><XAxis dataKey="month" /><YAxis scale="log" domain={[1, 1000]} /><Line dataKey="revenue" /></LineChart>')
  expect(option.yAxis[0]).toMatchObject({ type: 'log', min: 1, max: 1000 })
  expect(option.yAxis[0]!.axisLabel.formatter(1200)).toBe('1.2K')
})

test('series are stacked by kind and id', () => {
  const { option, legend } = compile('<BarChart><XAxis dataKey="month" /><Bar dataKey="revenue" stackId="a" /><Bar dataKey="orders" stackId="a" fill="#ff0000" /></BarChart>')
  expect(option.series.map(({ stack }) => stack)).toEqual(['bar a', 'bar a'])
  expect(legend).toEqual([{ name: 'revenue', color: lightTheme.palette[0] }, { name: 'orders', color: '#ff0000' }])
})

describe('references', () => {
  test('are at values of the axis, at categories, and at the period of a day', () => {
    const { option } = compile(
      '<LineChart><XAxis dataKey="month" /><YAxis /><Line dataKey="revenue" /><ReferenceLine y={12} label="Target" /><ReferenceLine x="2025-02-14" label="New prices" />' +
        '<ReferenceArea x1="2025-01-01" x2="2025-02-01" /><ReferenceLine x="1999-01-01" /></LineChart>',
    )
    expect(option.series.slice(1).map(({ markLine, markArea }) => (markLine ?? markArea)!.data)).toEqual([
      [{ yAxis: 12 }], [{ xAxis: 1 }], [[{ xAxis: 0 }, { xAxis: 1 }]],
    ])
  })
})

test('categories down the side are read from the top', () => {
  const { option } = compile('<BarChart layout="vertical"><XAxis type="number" /><YAxis type="category" dataKey="country" /><Bar dataKey="orders" /></BarChart>')
  expect(option.yAxis).toMatchObject({ type: 'category', inverse: true })
  expect(labelsOn(option.yAxis as unknown as CategoryAxis)).toEqual(['Germany', 'France', 'Spain'])
})

test('slices have the colors of their cells, then those of the palette', () => {
  const { colorOf } = compile('<PieChart><Pie dataKey="orders" nameKey="country"><Cell fill="#123456" /></Pie></PieChart>')
  expect([colorOf(0, 0), colorOf(0, 1)]).toEqual(['#123456', lightTheme.palette[1]])
})

test('nothing of a chart’s text reaches the option but texts, numbers and colors', () => {
  const { option } = compile(
    '<LineChart margin={{ top: 3 }} syncMethod="x"><XAxis dataKey="month" tick={{ fill: "red" }} /><Line dataKey="revenue" stroke="red&quot; x" strokeDasharray="4 x" type="<b>" legendType="star" name="a\u0000b" /></LineChart>',
  )
  expect(option.series[0]).toMatchObject({ name: 'a b', lineStyle: { color: lightTheme.palette[0], width: 2 } })
  expect(JSON.stringify(option)).not.toMatch(/<b>|star|syncMethod|red/)
})

test('every valid element can be compiled with every prop of another', () => {
  const props = 'dot={{ r: 5 }} label radius={[1, 2, 3, 4]} connectNulls barSize={3} fillOpacity={0.5} strokeWidth="3" unit="%" yAxisId={7}'
  for (const [chart, part] of [['LineChart', 'Line'], ['BarChart', 'Bar'], ['AreaChart', 'Area'], ['ComposedChart', 'Area'], ['HistogramChart', 'Histogram']]) {
    expect(compile(`<${chart}><XAxis dataKey="month" reversed /><YAxis hide domain={["auto", "auto"]} /><${part} dataKey="orders" ${props} /><Brush /><ErrorBar dataKey="orders" /></${chart}>`).option.series).not.toHaveLength(0)
  }
})
