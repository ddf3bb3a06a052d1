import { expect } from 'vitest'
import { errorOf, readAll } from './reading.ts'
import type { Suite } from './subject.ts'

/** Tests which statements run, and the errors of those that do not. */
export function statementTests({ engine, sql, it }: Suite): void {
  it('rejects writes and stays usable', async () => {
    for (const write of sql.writes) {
      expect(['refused', 'failed'], write).toContain((await errorOf(engine(), write)).kind)
    }
    const { rows } = await readAll(engine(), 'select count(*), sum(n) from digits')
    expect(rows.map((row) => row.map(Number))).toEqual([[10, 45]])
  })

  it('rejects more than one statement, but accepts a trailing semicolon', async () => {
    expect((await errorOf(engine(), 'select 1; select 2')).kind).toBe('refused')
    expect((await readAll(engine(), 'select 1;')).rows).toEqual([[1]])
  })

  it('reports errors in a statement with the database’s own message', async () => {
    const misspelled = await errorOf(engine(), 'selec 1')
    expect(misspelled.kind).toBe('failed')
    expect(misspelled.message).toContain('selec')
    const missing = await errorOf(engine(), 'select * from no_such_table')
    expect(missing.kind).toBe('failed')
    expect(missing.message).toContain('no_such_table')
  })

  for (const misplaced of sql.misplaced) {
    it(`reports the position of the error in ${JSON.stringify(misplaced.sql)}`, async () => {
      const error = await errorOf(engine(), misplaced.sql)
      expect(error).toMatchObject({ kind: 'failed', position: misplaced.position })
      expect(error.message).toContain('nope')
    })
  }

  it('stays usable after many failed statements', async () => {
    for (let count = 0; count < 20; count++) await errorOf(engine(), 'select * from no_such_table')
    expect((await readAll(engine(), 'select 42')).rows).toEqual([[42]])
  })
}
