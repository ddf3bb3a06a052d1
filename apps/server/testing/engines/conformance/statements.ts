import { expect, it } from 'vitest'
import { errorOf, readAll } from './reading.ts'
import type { Suite } from './subject.ts'

/** Which statements run, and what is said of those that do not. */
export function statementTests({ engine, sql }: Suite): void {
  it('refuses to write, and goes on', async () => {
    for (const write of sql.writes) {
      expect(['refused', 'failed'], write).toContain((await errorOf(engine(), write)).kind)
    }
    const { rows } = await readAll(engine(), 'select count(*), sum(n) from digits')
    expect(rows.map((row) => row.map(Number))).toEqual([[10, 45]])
  })

  it('refuses more than one statement, and runs one that ends with a semicolon', async () => {
    expect((await errorOf(engine(), 'select 1; select 2')).kind).toBe('refused')
    expect((await readAll(engine(), 'select 1;')).rows).toEqual([[1]])
  })

  it('says what is wrong with a statement, in the words of the engine', async () => {
    const misspelt = await errorOf(engine(), 'selec 1')
    expect(misspelt.kind).toBe('failed')
    expect(misspelt.message).toContain('selec')
    const missing = await errorOf(engine(), 'select * from no_such_table')
    expect(missing.kind).toBe('failed')
    expect(missing.message).toContain('no_such_table')
  })

  for (const misplaced of sql.misplaced) {
    it(`says where the fault is in ${JSON.stringify(misplaced.sql)}`, async () => {
      const error = await errorOf(engine(), misplaced.sql)
      expect(error).toMatchObject({ kind: 'failed', position: misplaced.position })
      expect(error.message).toContain('nope')
    })
  }

  it('goes on after a statement that failed, and after many', async () => {
    for (let count = 0; count < 20; count++) await errorOf(engine(), 'select * from no_such_table')
    expect((await readAll(engine(), 'select 42')).rows).toEqual([[42]])
  })
}
