import { expect, test } from 'vitest'
import { folderRows } from './folder-rows.ts'

test('lists each folder after the one that it is in', () => {
  const folder = (id: string, parentId: string | null) => ({ id, name: id, parentId, levels: [] })
  const rows = folderRows([folder('a', null), folder('b', null), folder('inner', 'a'), folder('innermost', 'inner')])
  expect(rows.map(({ id, depth }) => `${id} ${depth}`)).toEqual(['a 0', 'inner 1', 'innermost 2', 'b 0'])
})
