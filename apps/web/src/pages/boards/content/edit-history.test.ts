import { expect, test } from 'vitest'
import { canRedo, canUndo, record, redo, startHistory, undo } from './edit-history.ts'

test('goes back and forth through all states', () => {
  const written = record(record(startHistory('a'), 'b'), 'c')
  expect([undo(written).present, undo(undo(written)).present]).toEqual(['b', 'a'])
  expect(redo(undo(written)).present).toBe('c')
  expect(redo(redo(undo(undo(written))))).toEqual(written)
})

test('stays at the first and at the last state', () => {
  const start = startHistory('a')
  expect([undo(start), redo(start)]).toEqual([start, start])
  expect([canUndo(start), canRedo(start)]).toEqual([false, false])
  const changed = record(start, 'b')
  expect([canUndo(changed), canRedo(changed), canRedo(undo(changed))]).toEqual([true, false, true])
})

test('a change after undo discards the undone states', () => {
  const changed = record(undo(record(startHistory('a'), 'b')), 'c')
  expect(changed.future).toEqual([])
  expect(undo(changed).present).toBe('a')
})

test('undoes a series of small changes in one step', () => {
  const typed = record(record(record(startHistory(''), 'R', 'title'), 'Re', 'title'), 'Rev', 'title')
  expect(undo(typed).present).toBe('')
  const other = record(typed, 'moved', 'tile-1')
  expect(undo(other).present).toBe('Rev')
})

test('starts a new step when the series continues after undo', () => {
  const again = record(undo(record(record(startHistory('a'), 'b'), 'c', 'title')), 'd', 'title')
  expect(undo(again).present).toBe('b')
})

test('ignores a change to the same state', () => {
  const start = startHistory({ title: 'a' })
  expect(record(start, start.present)).toBe(start)
})

test('forgets the oldest states', () => {
  const long = Array.from({ length: 300 }, (_, at) => at + 1).reduce((history, state) => record(history, state), startHistory(0))
  expect(long.past).toHaveLength(200)
  expect(long.past[0]).toBe(100)
})
