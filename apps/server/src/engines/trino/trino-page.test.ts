import { describe, expect, test } from 'vitest'
import { NotJson } from '../json-values/json-text.ts'
import { rowBatcher } from '../row-batches.ts'
import { pageReader } from './trino-page.ts'

const columns = [{ name: 'n', type: 'bigint' }]
const nextUri = 'https://warehouse.test/v1/statement/2'

function openPage(text: string) {
  const rows = rowBatcher()
  const page = pageReader(rows).read(Buffer.from(`${text}\0`))
  function readRows(): string {
    const json = [...page.batches(), rows.take()].map((batch) => Buffer.from(batch.json).toString())
    return json.join('')
  }
  return { page, readRows }
}

const written = (members: Record<string, unknown>) => openPage(JSON.stringify(members))

describe('a page', () => {
  test('names the next one before its rows are read', () => {
    const { page, readRows } = written({ nextUri, columns, data: [[1], [2]], stats: { processedRows: 2 } })
    expect(page).toMatchObject({ hasRows: true, frame: { nextUri } })
    expect(page.frame.stats).toBeUndefined()
    expect(readRows()).toBe('[1],[2]')
    expect(page.frame.stats).toEqual({ processedRows: 2 })
  })

  test('may have its members in another order', () => {
    const { page, readRows } = written({ data: [[1]], stats: { processedRows: 1 }, columns, nextUri })
    expect(page).toMatchObject({ hasRows: true, frame: { nextUri, stats: { processedRows: 1 } } })
    expect(readRows()).toBe('[1]')
  })

  test('has all members at once if it has no rows', () => {
    for (const data of [undefined, null, []]) {
      const { page, readRows } = written({ nextUri, columns, data, stats: { state: 'RUNNING' } })
      expect(page).toMatchObject({ hasRows: false, frame: { nextUri, stats: { state: 'RUNNING' } } })
      expect(readRows()).toBe('')
    }
  })

  test.each(['[1],[2', '[1],2]}', '[1, 2]]}', '[1]],"stats":'])('is rejected if its rows are [%s', (rows) => {
    const { page, readRows } = openPage(`{"nextUri":"${nextUri}","columns":${JSON.stringify(columns)},"data":[${rows}`)
    expect(page.frame.nextUri).toBe(nextUri)
    expect(readRows).toThrow(NotJson)
  })
})
