import { type Field, parseJsxConfig, prepareRows } from '@querypost/visualization'
import { expect, test } from 'vitest'
import { pointsOfMark } from './points-of-mark.ts'

const field = (name: string, type: Field['type']): Field => ({ name, type })
const fields = [field('month', 'string'), field('country', 'string'), field('revenue', 'integer')]
const rows = [['Jan', 'Germany', 1200], ['Jan', 'France', 800], ['Feb', 'Germany', 1500]]
const prepare = (jsx: string, from = { fields, rows }) => prepareRows({ ...from, element: parseJsxConfig(jsx), locale: 'en' })

test('a mark has its category, its series and its value as shown', () => {
  const split = prepare('<LineChart><XAxis dataKey="month" /><Line dataKey="revenue" seriesKey="country" /></LineChart>')
  const germany = split.series.findIndex(({ name }) => name === 'Germany')
  expect(pointsOfMark(split, { series: germany, point: 1 })).toEqual([
    { keys: [{ column: 'month', value: 'Feb' }, { column: 'country', value: 'Germany' }], column: 'revenue', value: '1,500' },
  ])
})

test('a category has the values of all series that have one there', () => {
  const split = prepare('<LineChart><XAxis dataKey="month" /><Line dataKey="revenue" seriesKey="country" /></LineChart>')
  expect(pointsOfMark(split, { series: null, point: 0 }).map(({ value }) => value).toSorted()).toEqual(['1,200', '800'])
  expect(pointsOfMark(split, { series: null, point: 1 }).map(({ value }) => value)).toEqual(['1,500'])
})

test('a cell of a heat map has both categories', () => {
  const heat = prepare('<HeatmapChart><XAxis dataKey="month" /><YAxis dataKey="country" /><Heatmap dataKey="revenue" /></HeatmapChart>')
  const [point] = pointsOfMark(heat, { series: 0, point: 0 })
  expect(point!.keys.map(({ column }) => column)).toEqual(['month', 'country'])
  expect(point!.value).toBe('1,200')
})

test('a mark of a scatter chart has both values', () => {
  const from = { fields: [field('size', 'integer'), field('price', 'integer')], rows: [[3, 40]] }
  const scatter = prepare('<ScatterChart><XAxis dataKey="size" type="number" /><YAxis dataKey="price" /><Scatter /></ScatterChart>', from)
  expect(pointsOfMark(scatter, { series: 0, point: 0 })).toEqual([{ keys: [{ column: 'size', value: '3' }], column: 'price', value: '40' }])
})
