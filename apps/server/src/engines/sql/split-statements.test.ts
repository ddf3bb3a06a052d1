import { describe, expect, test } from 'vitest'
import { readStatements } from './split-statements.ts'

const textsOf = (sql: string, dialect: Parameters<typeof readStatements>[1] = 'postgres') =>
  readStatements(sql, dialect).map(({ start, end }) => sql.slice(start, end))

describe('the statements of a text', () => {
  test.each([
    ['', []],
    [' ; ;; -- none\n /* at all; */', []],
    ['select 1', ['select 1']],
    ['select 1;', ['select 1']],
    [' select 1 ; -- and\n select 2 ;; ', ['select 1', 'select 2']],
    ["select ';' || $$;$$ || \"a;b\" -- ;\n from t", ["select ';' || $$;$$ || \"a;b\" -- ;\n from t"]],
    ["'a';'b'", ["'a'", "'b'"]],
    ['(select 1);(select 2)', ['(select 1)', '(select 2)']],
  ])('%j', (sql, texts) => {
    expect(textsOf(sql)).toEqual(texts)
  })

  test('are split by the rules of their dialect', () => {
    const sql = "select 'it\\'; select 2' # ;\n"
    expect(textsOf(sql, 'mysql')).toHaveLength(1)
    expect(textsOf(sql, 'postgres')).toHaveLength(2)
  })

  test('list their bare words in lower case, without strings, quoted names and comments', () => {
    const [statement] = readStatements('SELECT "Into", \'into\' /* into */, Größe, 1e5, t1.a FROM t1', 'postgres')
    expect(statement!.words).toEqual(['select', 'größe', 't1', 'a', 'from', 't1'])
  })

  test('report where their meaning is unclear', () => {
    expect(readStatements('select 1 /*! into outfile "x" */', 'mysql')).toMatchObject([{ unclear: expect.stringContaining('/*!') }])
    expect(readStatements('select 1', 'mysql')).toMatchObject([{ unclear: null }])
  })
})
