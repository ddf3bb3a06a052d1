import { describe, expect, test } from 'vitest'
import { findPlaceholders } from '@querypost/server/placeholders'
import { formatSql } from './format-sql.ts'

const dialects = ['duckdb', 'postgres', 'mysql', 'clickhouse'] as const

describe.each(dialects)('formatting for %s', (dialect) => {
  test('puts clauses on lines of their own and keeps keywords as they were typed', () => {
    expect(formatSql('select a, b from t where a > 1 Order By b', dialect)).toBe(
      'select\n  a,\n  b\nfrom\n  t\nwhere\n  a > 1\nOrder By\n  b',
    )
  })

  test('keeps parameters, in the text and in strings', () => {
    const sql = "select * from orders where day >= {{since}} and country = '{{country}}' and n in ({{ n }}) limit {{row_limit}} -- {{no}}"
    const formatted = formatSql(sql, dialect)
    expect(findPlaceholders(formatted, dialect)).toEqual(findPlaceholders(sql, dialect))
    expect(formatted).toContain('{{ n }}')
    expect(formatSql(formatted, dialect)).toBe(formatted)
  })

  test('changes nothing but white space', () => {
    const sql = "with a as (select 1 as x, 'it''s  two' as y) select cast(x as char), count(*) from a where y <> '' group by 1 -- done"
    const squeeze = (text: string) => text.replaceAll(/\s+/g, '')
    expect(squeeze(formatSql(sql, dialect))).toBe(squeeze(sql))
  })
})
