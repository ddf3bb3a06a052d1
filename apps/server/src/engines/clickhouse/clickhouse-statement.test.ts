import { describe, expect, test } from 'vitest'
import { readFacts, type SettingRow } from './facts.ts'
import { checkStatement } from './clickhouse-statement.ts'

describe('statements', () => {
  test.each([
    'select 1', 'SELECT 1;', 'with 1 as x select x', '(select 1) union all (select 2)', '-- why\nselect 1', 'show tables',
    "select 'a;b'", 'describe table t', 'explain select 1', 'select format(1)', 'selec 1', 'from t select 1', 'select "insert"',
  ])('passes %j on to the server', (sql) => {
    expect(() => checkStatement(sql)).not.toThrow()
  })

  test.each([
    ['', 'no statement'], ['-- nothing', 'no statement'], ['select 1; select 2', 'one statement'], ['insert into t values (1)', 'INSERT'],
    ["KILL QUERY WHERE user = 'reader'", 'KILL'], ['/* a */ kill query where 1', 'KILL'], ['set readonly = 0', 'SET'],
    ['/* /* */ kill query where 1 -- */', 'comment within a comment'], ['(insert into t select 1)', 'INSERT'],
  ])('rejects %j', (sql, message) => {
    expect(() => checkStatement(sql)).toThrow(expect.objectContaining({ kind: 'refused', message: expect.stringContaining(message) }))
  })
})

describe('settings', () => {
  const row = (name: string, value: string, readonly = 0): SettingRow => ({
    name, value, readonly, server_version: '25.3', server_zone: 'Europe/Berlin',
  })
  const current = [
    row('readonly', '0'), row('date_time_output_format', 'simple'), row('output_format_json_quote_denormals', '0'),
    row('timeout_overflow_mode', 'break'), row('result_overflow_mode', 'throw'), row('skip_unavailable_shards', '1'),
  ]

  test('include only those that the server knows and that differ from the wanted value', () => {
    expect(readFacts(current)).toEqual({
      version: '25.3',
      times: { kind: 'utc' },
      cancelsOnClose: false,
      settings: {
        readonly: '1', date_time_output_format: 'iso', output_format_json_quote_denormals: '1', timeout_overflow_mode: 'throw',
        skip_unavailable_shards: '0',
      },
    })
  })

  test('of an old server are fewer, and its times are local', () => {
    const { settings, times } = readFacts([row('readonly', '0'), row('output_format_json_quote_denormals', '0')])
    expect(settings).toEqual({ readonly: '1', output_format_json_quote_denormals: '1' })
    expect(times).toEqual({ kind: 'local', serverZone: 'Europe/Berlin' })
  })

  test('are left alone when the profile does not allow changing them', () => {
    const withProfile = (value: string) => [row('readonly', value), ...current.slice(1)]
    expect(readFacts(withProfile('1'))).toMatchObject({ settings: {}, times: { kind: 'local' } })
    expect(Object.keys(readFacts(withProfile('2')).settings)).not.toContain('readonly')
    expect(Object.keys(readFacts(withProfile('2')).settings)).toContain('timeout_overflow_mode')
    expect(readFacts([row('readonly', '0'), row('max_execution_time', '0')]).settings).toHaveProperty('max_execution_time')
    expect(readFacts([row('readonly', '0'), row('max_execution_time', '60')]).settings).not.toHaveProperty('max_execution_time')
    const constrained = [row('readonly', '0'), row('timeout_overflow_mode', 'break', 1)]
    expect(readFacts(constrained).settings).toEqual({ readonly: '1' })
  })
})
