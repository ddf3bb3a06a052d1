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
  ])('rejects %j', (input, path) => {
    expect(() => checkVisualization(input)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
    )
  })
})
