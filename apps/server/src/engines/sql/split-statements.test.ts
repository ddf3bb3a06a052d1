import { describe, expect, test } from 'vitest'
import { mysqlSyntax } from '../mysql/mysql-syntax.ts'
import { postgresSyntax } from '../postgres/postgres-syntax.ts'
import { readStatements } from './split-statements.ts'

const mysql = mysqlSyntax.lexicalRules
const postgres = postgresSyntax.lexicalRules

const textsOf = (sql: string, rules = postgres) =>
  readStatements(sql, rules).map(({ start, end }) => sql.slice(start, end))

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
    expect(textsOf(sql, mysql)).toHaveLength(1)
    expect(textsOf(sql, postgres)).toHaveLength(2)
  })

  test('list their bare words in lower case, without strings, quoted names and comments', () => {
    const [statement] = readStatements('SELECT "Into", \'into\' /* into */, Größe, 1e5, t1.a FROM t1', postgres)
    expect(statement!.words).toEqual(['select', 'größe', 't1', 'a', 'from', 't1'])
  })

  test('report where their meaning is unclear', () => {
    expect(readStatements('select 1 /*! into outfile "x" */', mysql)).toMatchObject([{ unclear: expect.stringContaining('/*!') }])
    expect(readStatements('select 1', mysql)).toMatchObject([{ unclear: null }])
  })
})
