import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { element } from './chart-element.ts'
import { parseJsxConfig } from './parse.ts'
import { anyChart } from '../testing/charts.ts'
import { writeJsxConfig } from './write.ts'

test('parsing what was written gives the same chart', () => {
  fc.assert(
    fc.property(anyChart, (chart) => {
      const text = writeJsxConfig(chart)
      fc.pre(text.length <= 20_000)
      expect(parseJsxConfig(text)).toEqual(chart)
    }),
    { seed: 1, numRuns: 200 },
  )
})

test('writes it as a person would', () => {
  const chart = element('BarChart', { layout: 'vertical' }, [
    element('YAxis', { dataKey: 'a "b"', width: 80, hide: false }),
    element('Bar', { dataKey: 'n', label: true, radius: [4, -0], label2: null, dot: { r: 3, fill: 'red' } }, [element('Cell')]),
  ])
  expect(writeJsxConfig(chart)).toBe(`<BarChart layout="vertical">
  <YAxis dataKey={"a \\"b\\""} width={80} hide={false} />
  <Bar dataKey="n" label radius={[4, -0]} label2={null} dot={{ r: 3, fill: "red" }}>
    <Cell />
  </Bar>
</BarChart>`)
})
