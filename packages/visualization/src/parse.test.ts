import { describe, expect, it } from 'vitest'
import { type ChartElement, element } from './chart-element.ts'
import { ChartFault } from './chart-fault.ts'
import { parseJsxConfig } from './parse.ts'
import { hostileConfigs } from '../testing/hostile-configs.ts'

const good: [text: string, tree: ChartElement][] = [
  ['<LineChart />', element('LineChart')],
  [
    '<BarChart><XAxis dataKey="month" /><Bar dataKey="revenue" /></BarChart>',
    element('BarChart', {}, [element('XAxis', { dataKey: 'month' }), element('Bar', { dataKey: 'revenue' })]),
  ],
  [
    '\n  <AreaChart margin={{ top: 5, left: -20 }}>\n    <Area type="monotone" dataKey="a" stackId={1} />\n  </AreaChart>\n',
    element('AreaChart', { margin: { top: 5, left: -20 } }, [element('Area', { type: 'monotone', dataKey: 'a', stackId: 1 })]),
  ],
  ['<LineChart><Line dot={false} connectNulls /></LineChart>', element('LineChart', {}, [element('Line', { dot: false, connectNulls: true })])],
  [
    '<LineChart><YAxis domain={[0, "dataMax"]} ticks={[-1, 0, 1.5]} /></LineChart>',
    element('LineChart', {}, [element('YAxis', { domain: [0, 'dataMax'], ticks: [-1, 0, 1.5] })]),
  ],
  [
    "<PieChart><Pie dataKey='value' nameKey='name' label><Cell fill='#fff' /><Cell fill='#000' /></Pie></PieChart>",
    element('PieChart', {}, [
      element('Pie', { dataKey: 'value', nameKey: 'name', label: true }, [element('Cell', { fill: '#fff' }), element('Cell', { fill: '#000' })]),
    ]),
  ],
  ['<ScatterChart><Scatter dot={{ r: 3, "fill": "red" }} /></ScatterChart>', element('ScatterChart', {}, [element('Scatter', { dot: { r: 3, fill: 'red' } })])],
  [
    '<BarChart><Tooltip contentStyle={{ backgroundColor: "#fff", fontSize: 12 }} cursor={null} /></BarChart>',
    element('BarChart', {}, [element('Tooltip', { contentStyle: { backgroundColor: '#fff', fontSize: 12 }, cursor: null })]),
  ],
  ['<LineChart><Label value="A &amp; B" /></LineChart>', element('LineChart', {}, [element('Label', { value: 'A & B' })])],
  ['<LineChart><Line name={"Umsatz (€)"} dataKey="total revenue" /></LineChart>', element('LineChart', {}, [element('Line', { name: 'Umsatz (€)', dataKey: 'total revenue' })])],
  ['<ComposedChart><CartesianGrid strokeDasharray="3 3"></CartesianGrid><Legend /></ComposedChart>', element('ComposedChart', {}, [element('CartesianGrid', { strokeDasharray: '3 3' }), element('Legend')])],
  ['<BarChart layout="vertical"><Bar dataKey="x" radius={[4, 4, 0, 0]} /></BarChart>', element('BarChart', { layout: 'vertical' }, [element('Bar', { dataKey: 'x', radius: [4, 4, 0, 0] })])],
  ['<LineChart><ReferenceLine y={100} label={{ value: "Data: goal", position: "top" }} /></LineChart>', element('LineChart', {}, [element('ReferenceLine', { y: 100, label: { value: 'Data: goal', position: 'top' } })])],
]

describe('parseJsxConfig', () => {
  it.each(good)('reads %s', (text, tree) => {
    expect(parseJsxConfig(text)).toEqual(tree)
  })

  it.each(hostileConfigs.map((text) => [text.slice(0, 80), text]))('rejects %s', (_, text) => {
    let refusal: unknown
    try {
      parseJsxConfig(text)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(ChartFault)
  })

  it('says where the fault is', () => {
    expect(() => parseJsxConfig('<LineChart>\n  <Line onClick="x" />\n</LineChart>')).toThrow(/"onClick" \(line 2, column 9\)/)
    expect(() => parseJsxConfig('<BarChart>\n <i /></BarChart>')).toThrow(expect.objectContaining({ line: 2, column: 3 }))
    expect(() => parseJsxConfig('<LineChart>\n  <Line dataKey= />\n</LineChart>')).toThrow(/not valid JSX.*\(line 2, column \d+\)/)
  })
})
