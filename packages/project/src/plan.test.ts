import { expect, test } from 'vitest'
import { storedItem } from '../testing/organizations.ts'
import { type Contents, type FileItem, type KnownItem, nameOf, planChanges, type StoredItem } from './index.ts'

const query = (title: string, content: Partial<Contents['query']> = {}): Contents['query'] => ({ title, database: 'Shop', sql: `select '${title}'`, ...content })
const file = (path: string, content: Contents['query']): FileItem => ({ kind: 'query', path, content })
const folder = (path: string): FileItem => ({ kind: 'folder', path, content: { name: path } })
const known = (...items: [string, StoredItem][]) =>
  new Map(items.map(([path, { kind, id, hash, content }]): [string, KnownItem] => [path, { kind, id, hash, name: nameOf(content) }]))
const plan = (files: FileItem[], stored: StoredItem[], before = known(), deletes = false) => {
  const { changes, conflicts, notes } = planChanges({ files, stored, known: before, deletes })
  return { changes: changes.map(({ action, path, id, words }) => [action, path, id, words]), conflicts, notes }
}
const revenue = storedItem('query', 'q1', query('Revenue'))

test('a changed title is a rename, another folder a move, and both are of the same item', () => {
  const before = known(['revenue.sql', revenue])
  expect(plan([file('revenue.sql', query('Sales', { sql: revenue.kind === 'query' ? revenue.content.sql : '' }))], [revenue], before).changes).toEqual([
    ['rename', 'revenue.sql', 'q1', 'the query “Revenue” to “Sales”'],
  ])
  expect(plan([folder('f'), file('f/revenue.sql', query('Revenue', { folder: 'f' }))], [revenue], before).changes).toEqual([
    ['create', 'f', null, 'the folder “f”'],
    ['move', 'f/revenue.sql', 'q1', 'the query “Revenue” into another folder'],
  ])
})

test('a file that was moved in its folder changes nothing', () => {
  expect(plan([file('other.sql', query('Revenue'))], [revenue], known(['revenue.sql', revenue]))).toEqual({ changes: [], conflicts: [], notes: [] })
})

test('a change on the service and another in the file is a conflict; equal ones are not', () => {
  const changed = storedItem('query', 'q1', query('Revenue', { sql: 'select 2' }))
  const before = known(['revenue.sql', revenue])
  expect(plan([file('revenue.sql', query('Revenue', { sql: 'select 3' }))], [changed], before)).toMatchObject({
    changes: [],
    conflicts: [{ path: 'revenue.sql', words: 'the query “Revenue” has changed on the service since you pulled, and differs in SQL' }],
  })
  expect(plan([file('revenue.sql', query('Revenue', { sql: 'select 2' }))], [changed], before)).toEqual({ changes: [], conflicts: [], notes: [] })
  expect(plan([file('revenue.sql', query('Revenue'))], [changed], before)).toMatchObject({ changes: [], conflicts: [], notes: [{ path: 'revenue.sql' }] })
})

test('an item that was never pulled is not overwritten', () => {
  expect(plan([file('revenue.sql', query('Revenue', { sql: 'select 3' }))], [revenue]).conflicts).toEqual([
    { path: 'revenue.sql', words: 'the query “Revenue” exists on the service and differs in SQL' },
  ])
})

test('a missing file deletes its item only if asked, and never one that has changed', () => {
  const before = known(['revenue.sql', revenue])
  expect(plan([], [revenue], before)).toMatchObject({ changes: [], notes: [{ path: 'revenue.sql' }] })
  expect(plan([], [revenue], before, true).changes).toEqual([['delete', 'revenue.sql', 'q1', 'the query “Revenue”']])
  const changed = storedItem('query', 'q1', query('Revenue', { sql: 'select 2' }))
  expect(plan([], [changed], before, true)).toMatchObject({ changes: [], conflicts: [{ path: 'revenue.sql' }] })
  expect(plan([file('revenue.sql', query('Revenue'))], [], before).conflicts).toEqual([
    { path: 'revenue.sql', words: 'the query “Revenue” was deleted on the service since you pulled' },
  ])
})

test('a link to a file that does not exist is named', () => {
  const reads = file('a.sql', query('A', { sql: "select * from ref('gone.sql')" }))
  expect(plan([reads], []).conflicts).toEqual([{ path: 'a.sql', words: 'names gone.sql, which is not among the files' }])
})
