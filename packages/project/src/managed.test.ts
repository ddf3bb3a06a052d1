import { expect, test } from 'vitest'
import { storedItem } from '../testing/organizations.ts'
import { type FileItem, type KnownItem, nameOf, planChanges, planMarks, type StoredItem } from './index.ts'

const url = 'https://git.example/blob/main/'
const known = (item: StoredItem): KnownItem => ({ kind: item.kind, id: item.id, hash: item.hash, name: nameOf(item.content) })
const query = (title: string, folder?: string) => ({ title, database: 'Shop', sql: 'select 1', ...(folder !== undefined && { folder }) })

function marks(files: FileItem[], stored: StoredItem[], managed: Parameters<typeof planMarks>[1]['managed'], paths: Record<string, StoredItem>) {
  const before = new Map(Object.entries(paths).map(([path, item]) => [path, known(item)]))
  return planMarks(planChanges({ files, stored, known: before, deletes: false }), { stored, managed })
}

const revenue = storedItem('query', 'q1', query('Revenue'))
const revenueFile: FileItem = { kind: 'query', path: 'revenue.sql', content: query('Revenue') }

test('marks new and unchanged items with links to their files, once', () => {
  const folder: FileItem = { kind: 'folder', path: 'key figures', content: { name: 'Key figures' } }
  const planned = marks([folder, revenueFile], [revenue], { url }, { 'revenue.sql': revenue })
  expect(planned).toEqual([
    { kind: 'folder', path: 'key figures', id: null, url: `${url}key%20figures/folder.yaml` },
    { kind: 'query', path: 'revenue.sql', id: 'q1', url: `${url}revenue.sql` },
  ])
  const marked = { ...revenue, managedUrl: `${url}revenue.sql` }
  expect(marks([revenueFile], [marked], { url }, { 'revenue.sql': marked })).toEqual([])
})

test('marks only what is in the given folders', () => {
  const folder = storedItem('folder', 'f1', { name: 'Finance' })
  const inFolder = storedItem('query', 'q2', query('Margin', 'f1'))
  const files: FileItem[] = [revenueFile, { kind: 'folder', path: 'finance', content: { name: 'Finance' } }, { kind: 'query', path: 'finance/margin.sql', content: query('Margin', 'finance') }]
  const paths = { 'revenue.sql': revenue, finance: folder, 'finance/margin.sql': inFolder }
  const planned = marks(files, [revenue, folder, inFolder], { url, folders: ['finance'] }, paths)
  expect(planned.map(({ path }) => path)).toEqual(['finance', 'finance/margin.sql'])
})

test('releases items that are no longer managed', () => {
  const marked = { ...revenue, managedUrl: `${url}revenue.sql` }
  expect(marks([revenueFile], [marked], undefined, { 'revenue.sql': marked })).toEqual([{ kind: 'query', path: 'revenue.sql', id: 'q1', url: null }])
})
