import { describe, expect, it } from 'vitest'
import { checkVisualization } from './check-visualization.ts'

const marginConfig = { top: 0, right: 10, bottom: 5.5, left: -20 }
const jsxConfig = '<BarChart><Bar dataKey="revenue" /></BarChart>'

describe('checkVisualization', () => {
  it.each(['line', 'bar', 'area', 'scatter', 'pie', 'table', 'number'])('accepts a chart of type %s', (type) => {
    expect(checkVisualization({ type, jsxConfig, marginConfig })).toEqual({ type, jsxConfig, marginConfig })
  })

  it.each(['table', 'number'])('needs no chart for %s', (type) => {
    expect(checkVisualization({ type, jsxConfig: '', marginConfig })).toEqual({ type, jsxConfig: '', marginConfig })
  })

  it.each([
    ['combo', '<ComposedChart><Bar dataKey="a" /><Line dataKey="b" yAxisId="right" /></ComposedChart>'],
    ['pivot', '<PivotTable><PivotRow dataKey="a" /><PivotColumn dataKey="b" /><PivotValue dataKey="c" aggregate="sum" /></PivotTable>'],
    ['heatmap', '<HeatmapChart><XAxis dataKey="a" /><YAxis dataKey="b" /><Heatmap dataKey="c" /></HeatmapChart>'],
    ['funnel', '<FunnelChart><Funnel dataKey="people" nameKey="step" /></FunnelChart>'],
    ['histogram', '<HistogramChart><Histogram dataKey="amount" bins={20} /></HistogramChart>'],
    ['map', '<MapChart><Map dataKey="revenue" nameKey="country" /></MapChart>'],
    ['number', '<NumberChart><Number dataKey="a" timeKey="b" compare="previous" target={5} sparkline isLowerBetter={false} /></NumberChart>'],
    ['line', '<LineChart missing="gap"><Line dataKey="a" seriesKey="b" topN={8} trend="linear" movingAverage={7} /></LineChart>'],
  ])('accepts a chart of type %s: %s', (type, text) => {
    expect(checkVisualization({ type, jsxConfig: text, marginConfig })).toMatchObject({ type, jsxConfig: text })
  })

  const column = {
    name: 'revenue',
    title: 'Revenue',
    isHidden: false,
    format: { style: 'currency', currency: 'EUR', decimals: 0, isGrouped: true, isCompact: false },
    colors: [{ when: 'between', value: 0, to: 10, color: '#AA0000' }, { when: 'scale', from: '#ffffff', to: '#00aa00' }],
    total: 'sum',
  }
  const settings = (columns: unknown) => ({ type: 'table', jsxConfig: '', marginConfig, columns, hasTotals: true })

  it('keeps the settings of columns', () => {
    expect(checkVisualization(settings([column]))).toEqual(settings([column]))
  })

  it.each([
    [[{ ...column, name: '' }], '/0/name'],
    [[column, column], '/1/name'],
    [[{ ...column, width: 5 }], '/0/width'],
    [[{ ...column, title: 5 }], '/0/title'],
    [[{ ...column, isHidden: 'no' }], '/0/isHidden'],
    [[{ ...column, total: 'median' }], '/0/total'],
    [[{ ...column, format: { style: 'roman' } }], '/0/format/style'],
    [[{ ...column, format: { style: 'currency' } }], '/0/format/currency'],
    [[{ ...column, format: { style: 'currency', currency: 'euro' } }], '/0/format/currency'],
    [[{ ...column, format: { style: 'number', decimals: 11 } }], '/0/format/decimals'],
    [[{ ...column, format: { style: 'number', decimals: 1.5 } }], '/0/format/decimals'],
    [[{ ...column, format: { style: 'unit', unit: 'x'.repeat(21) } }], '/0/format/unit'],
    [[{ ...column, format: { style: 'number', isCompact: 1 } }], '/0/format/isCompact'],
    [[{ ...column, format: { style: 'date', granularity: 'decade' } }], '/0/format/granularity'],
    [[{ ...column, colors: [{ when: 'never', value: 1, color: '#000000' }] }], '/0/colors/0/when'],
    [[{ ...column, colors: [{ when: 'above', value: null, color: '#000000' }] }], '/0/colors/0/value'],
    [[{ ...column, colors: [{ when: 'between', value: 1, color: '#000000' }] }], '/0/colors/0/to'],
    [[{ ...column, colors: [{ when: 'above', value: 1, color: 'red' }] }], '/0/colors/0/color'],
    [[{ ...column, colors: [{ when: 'scale', from: '#000000', to: 'url(x)' }] }], '/0/colors/0/to'],
    [Array.from({ length: 501 }, (_, at) => ({ name: `c${at}` })), ''],
  ])('rejects settings of columns: %j', (columns, path) => {
    expect(() => checkVisualization(settings(columns))).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path: `/visualization/columns${path}` })] }),
    )
  })

  it.each([
    [null, '/visualization'],
    [[], '/visualization'],
    ['bar', '/visualization'],
    [{ type: 'radar', jsxConfig, marginConfig }, '/visualization/type'],
    [{ jsxConfig, marginConfig }, '/visualization/type'],
    [{ type: 'bar', marginConfig }, '/visualization/jsxConfig'],
    [{ type: 'bar', jsxConfig: 5, marginConfig }, '/visualization/jsxConfig'],
    [{ type: 'bar', jsxConfig: ' ', marginConfig }, '/visualization/jsxConfig'],
    [{ type: 'table', jsxConfig: '<script />', marginConfig }, '/visualization/jsxConfig'],
    [{ type: 'bar', jsxConfig }, '/visualization/marginConfig'],
    [{ type: 'bar', jsxConfig, marginConfig: { ...marginConfig, top: '5' } }, '/visualization/marginConfig/top'],
    [{ type: 'bar', jsxConfig, marginConfig: { ...marginConfig, left: Number.NaN } }, '/visualization/marginConfig/left'],
    [{ type: 'bar', jsxConfig, marginConfig: { ...marginConfig, left: 1001 } }, '/visualization/marginConfig/left'],
    [{ type: 'bar', jsxConfig, marginConfig: { ...marginConfig, inner: 1 } }, '/visualization/marginConfig/inner'],
    [{ type: 'bar', jsxConfig, marginConfig: { top: 1 } }, '/visualization/marginConfig/right'],
    [{ type: 'bar', jsxConfig, marginConfig, html: 'x' }, '/visualization/html'],
    [{ type: 'map', jsxConfig, marginConfig }, '/visualization/jsxConfig'],
    [{ type: 'bar', jsxConfig: '<PivotTable />', marginConfig }, '/visualization/jsxConfig'],
    [{ type: 'combo', jsxConfig: '', marginConfig }, '/visualization/jsxConfig'],
    [{ type: 'bar', jsxConfig, marginConfig, hasTotals: 1 }, '/visualization/hasTotals'],
    [{ type: 'bar', jsxConfig, marginConfig, columns: {} }, '/visualization/columns'],
  ])('rejects %j', (input, path) => {
    expect(() => checkVisualization(input)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
    )
  })
})
