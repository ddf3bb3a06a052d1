import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { duckdbSyntax } from '../../engines/duckdb/duckdb-syntax.ts'
import { renderSql } from './render-sql.ts'

const now = new Date('2026-11-16T12:00:00Z')

/**
 * MySQL and ClickHouse are not available in tests. So a second reader of quoted text, written from their manuals and independent of
 * the renderer, reads the literal at the start of `text` and returns its content and what follows it.
 */
function readQuoted(text: string, dialect: 'mysql' | 'clickhouse'): { held: string; rest: string } {
  const quote = text.charAt(0)
  const knowsBackslash = !(dialect === 'mysql' && quote === '`')
  const ofDialect = dialect === 'mysql' ? { Z: '\x1a' } : { f: '\f', a: '\x07', v: '\v' }
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', 0: '\0', b: '\b', ...ofDialect }
  const held: string[] = []
  for (let at = 1; at < text.length; at++) {
    const character = text[at]!
    const next = text[at + 1]
    if (character === quote) {
      if (next !== quote) return { held: held.join(''), rest: text.slice(at + 1) }
      held.push(quote)
      at++
    } else if (knowsBackslash && character === '\\') {
      if (next === undefined) break
      held.push(named[next] ?? next)
      at++
    } else held.push(character)
  }
  throw new Error('unterminated quoted text')
}

const hostileText = fc
  .array(
    fc.constantFrom(
      "'", '"', '`', '\\', '\\\\', "\\'", '\\x41', '\\n', '--', '-- ', '#', '/*', '*/', '/*!', '$$', ';', '{{a}}', '{{b}}', '\n', 'é', '😀', '\u00a0',
      '%', '_', "' or 1=1 -- ", '‘', '’', 'x', '0', '',
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

const places: { dialects: ('mysql' | 'clickhouse')[]; before: string; quoted: string; expected: (a: string, b: string) => string }[] = [
  { dialects: ['mysql', 'clickhouse'], before: 'SELECT 1, ', quoted: '{{a}}', expected: (a) => a },
  { dialects: ['mysql', 'clickhouse'], before: 'SELECT 1, ', quoted: "'{{a}}{{b}}'", expected: (a, b) => a + b },
  { dialects: ['mysql', 'clickhouse'], before: "SELECT '\\'', ", quoted: "'it''s \\\\{{a}} \\'{{b}}'", expected: (a, b) => `it's \\${a} '${b}` },
  { dialects: ['mysql', 'clickhouse'], before: 'SELECT 1 AS ', quoted: '"x""{{a}}{{b}}"', expected: (a, b) => `x"${a}${b}` },
  { dialects: ['mysql', 'clickhouse'], before: 'SELECT 1 AS ', quoted: '`x``{{a}}{{b}}`', expected: (a, b) => `x\`${a}${b}` },
]

describe('values read by the reference reader', () => {
  for (const { dialects, before, quoted, expected } of places) {
    it.each(dialects)(`hold in %s: ${quoted}`, (dialect) => {
      fc.assert(
        fc.property(hostileText, hostileText, (a, b) => {
          const values = quoted.includes('{{b}}') ? { a, b } : { a }
          const { renderedSql } = renderSql({ sql: `${before}${quoted}, 22 /* ' */`, dialect, definitions: [], now, values })
          expect(renderedSql.startsWith(before)).toBe(true)
          expect(readQuoted(renderedSql.slice(before.length), dialect)).toEqual({ held: expected(a, b), rest: ", 22 /* ' */" })
        }),
        { seed: 20260105, numRuns: 500 },
      )
    })
  }
})

describe('lists read by the reference reader', () => {
  it.each(['mysql', 'clickhouse'] as const)('hold their elements in %s', (dialect) => {
    const definitions = [{ name: 'l', displayName: '', type: 'text' as const, defaultValue: '', description: '', isList: true }]
    fc.assert(
      fc.property(fc.uniqueArray(hostileText, { minLength: 1, maxLength: 5 }), (elements) => {
        const before = "SELECT 'x' IN ("
        const { renderedSql } = renderSql({ sql: `${before}{{l}}) /* ' */`, dialect, definitions, now, values: { l: elements } })
        expect(renderedSql.startsWith(before)).toBe(true)
        let rest = renderedSql.slice(before.length)
        for (const [index, element] of elements.entries()) {
          const read = readQuoted(rest, dialect)
          expect(read.held).toBe(element)
          const separator = index === elements.length - 1 ? ") /* ' */" : ', '
          expect(read.rest.startsWith(separator)).toBe(true)
          rest = read.rest.slice(separator.length)
        }
        expect(rest).toBe('')
      }),
      { seed: 20260105, numRuns: 500 },
    )
  })
})

function steps(sql: string): number {
  const next = vi.spyOn(duckdbSyntax.lexicalRules, 'next')
  renderSql({ sql, dialect: 'duckdb', definitions: [], now, values: { a: "it's", b: '"x"' } })
  const count = next.mock.calls.length
  next.mockRestore()
  return count
}

describe('the work of rendering', () => {
  const unit = "select {{a}}, '{{b}}' || E'\\\\{{a}}', \"{{b}}\", $t$ {{a}} $t$ from t where x = {{a}} -- {{b}}\n"

  it('grows linearly with the length of the text', () => {
    expect(steps(unit.repeat(400)) / steps(unit.repeat(100))).toBeCloseTo(4, 1)
  })

  it('renders a megabyte with ten thousand placeholders', () => {
    const sql = Array.from({ length: 10_000 }, (_, index) => `${'x '.repeat(48)}{{p${index}}}, `).join('')
    expect(sql.length).toBeGreaterThan(1_000_000)
    const values = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, `v${index}`]))
    const { renderedSql } = renderSql({ sql, dialect: 'duckdb', definitions: [], now, values })
    expect(renderedSql).toBe(sql.replaceAll(/\{\{p(\d+)\}\}/g, "'v$1'"))
  })

  // A reader that looked back or ahead at each of these would take forever.
  it.each([
    '{{', '{{ ', '}}', '{{a ', '$', '$a', '$a$', "'", '"', "E'\\", "E'a'\n", '/*', '/* */', '-- \n', '\\', '\u00a0', 'x\u00a0', '1e', 'U&', '`', '#',
  ])('reads a megabyte of %j', (piece) => {
    for (const dialect of ['duckdb', 'postgres', 'mysql', 'clickhouse'] as const) {
      const sql = `${piece.repeat(250_000 / piece.length)} `
      expect(renderSql({ sql, dialect, definitions: [], now, values: {} }).renderedSql).toBe(sql)
    }
  })
})
