import { expect, test } from 'vitest'
import { setSplit } from './edit.ts'
import { readGroups, setGroups } from './edit-pivot.ts'
import { addSeries, editSeries } from './edit-series.ts'
import { parseJsxConfig } from './parse.ts'
import { writeJsxConfig } from './write.ts'

const pivot = parseJsxConfig(`<PivotTable>
  <PivotRow dataKey="country" width={90} />
  <PivotColumn dataKey="month" />
  <PivotValue dataKey="revenue" aggregate="sum" />
</PivotTable>`)

test('groups are added before the columns and values, and keep their settings', () => {
  const rows = setGroups(pivot, 'PivotRow', ['region', 'country'])
  expect(writeJsxConfig(setGroups(rows, 'PivotColumn', ['year', 'month']))).toBe(`<PivotTable>
  <PivotRow dataKey="region" />
  <PivotRow dataKey="country" width={90} />
  <PivotColumn dataKey="year" />
  <PivotColumn dataKey="month" />
  <PivotValue dataKey="revenue" aggregate="sum" />
</PivotTable>`)
})

test('columns may be removed and added again', () => {
  const none = setSplit(pivot, null)
  expect(readGroups(none, 'PivotColumn')).toEqual([])
  expect(setSplit(none, 'month')).toEqual(pivot)
})

test('a value says how it is combined', () => {
  const averaged = editSeries(addSeries(pivot, { key: 'orders' }), 1, { aggregate: 'average' })
  expect(averaged.children.at(-1)!.props).toEqual({ dataKey: 'orders', aggregate: 'average' })
})
