/**
 * Attacks by a user who may run SQL and nothing else. Every statement must be rejected, fail, or return nothing that belongs to the
 * service. Endless statements can be stopped. After each attack the next statement must run normally.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../engine.ts'
import { conformanceSql, never } from '../../../testing/engines/engine-conformance.ts'
import { openFixture, writeDatabase, type Fixture } from '../../../testing/engines/duckdb-fixture.ts'

const secret = 'TOP-SECRET-MARKER'

describe('hostile SQL', () => {
  let fixture: Fixture
  let outside: string
  let server: Server
  let requestCount = 0

  beforeAll(async () => {
    process.env['QUERYPOST_TEST_SECRET'] = secret
    fixture = await openFixture(conformanceSql.fixture, {
      maxProcesses: 1,
      memoryLimitMb: 100,
      processMemoryLimitMb: 1500,
      temporaryLimitMb: 32,
    })
    outside = join(fixture.folder, 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'secret.txt'), secret)
    await writeFile(join(outside, 'secret.csv'), `a,b\n1,${secret}\n`)
    await writeFile(join(outside, 'secret.json'), `[{"a":"${secret}"}]`)
    await writeDatabase(join(outside, 'other.duckdb'), [`create table secrets as select '${secret}' as a`])
    server = createServer((_, response) => {
      requestCount++
      response.end(`a,b\n1,${secret}\n`)
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  })

  afterAll(async () => {
    await fixture.engine.close()
    await fixture.release()
    await new Promise((resolve) => server.close(resolve))
    delete process.env['QUERYPOST_TEST_SECRET']
  })

  /** Fills in the placeholders `$outside`, `$database` and `$port`. */
  const filled = (sql: string) =>
    sql
      .replaceAll('$outside', outside)
      .replaceAll('$database', fixture.file)
      .replaceAll('$port', String((server.address() as AddressInfo).port))

  /** The statement's output, truncated, or its error. */
  async function attempt(sql: string, signal = never()): Promise<{ answer: string; error?: EngineError }> {
    let answer = ''
    try {
      const result = await fixture.engine.run({ sql: filled(sql), signal })
      answer = JSON.stringify(result.fields)
      for await (const batch of result.batches) if (answer.length < 5_000_000) answer += Buffer.from(batch.json).toString()
      return { answer }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return { answer: answer + error.message, error }
    }
  }

  /** Removes text that the author already knows: paths from the statement, and the excerpt that shows where the error is. */
  function withoutEchoes(answer: string, sql: string): string {
    const isEcho = (excerpt: string) => filled(sql).includes(excerpt.replaceAll(/^…|…$/g, ''))
    return answer.replaceAll(/^LINE \d+: (.*)$/gm, (line, excerpt: string) => (isEcho(excerpt) ? '' : line)).replaceAll(outside, '')
  }

  async function expectIntact(outcome: { answer: string }): Promise<void> {
    expect(outcome.answer).not.toContain(secret)
    expect(requestCount).toBe(0)
    expect((await readdir(outside)).sort()).toEqual(['other.duckdb', 'secret.csv', 'secret.json', 'secret.txt'])
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe(secret)
    expect(await attempt('select 42')).toEqual({ answer: '[{"name":"42","type":"integer"}][42]' })
  }

  const refused: Record<string, string[]> = {
    'reading files': [
      `select * from read_text('$outside/secret.txt')`,
      `select * from read_blob('$outside/secret.txt')`,
      `select * from read_csv('$outside/secret.csv')`,
      `select * from read_csv_auto('$outside/secret.csv')`,
      `select * from sniff_csv('$outside/secret.csv')`,
      `select * from read_json('$outside/secret.json')`,
      `select * from read_json_objects('$outside/secret.json')`,
      `select * from read_ndjson('$outside/secret.json')`,
      `select * from read_parquet('$outside/secret.parquet')`,
      `select * from parquet_metadata('$outside/secret.parquet')`,
      `select * from parquet_schema('$outside/secret.parquet')`,
      `select * from parquet_kv_metadata('$outside/secret.parquet')`,
      `select * from glob('$outside/*')`,
      `select * from glob('/*')`,
      `from '$outside/secret.csv'`,
      `from '$outside/*.csv'`,
      `from '$outside/other.duckdb'`,
      `from "$outside/secret.json"`,
      `select * from read_duckdb('$outside/other.duckdb')`,
      `select * from read_duckdb('$outside/other.duckdb', table_name := 'secrets')`,
      `select * from '/etc/passwd'`,
      `select content from read_text('/etc/passwd')`,
      `select content from read_text('/proc/self/environ')`,
      `select content from read_blob('/proc/self/maps')`,
      `select content from read_text('/proc/self/cwd/../../sample.duckdb')`,
      `select content from read_text('file://$outside/secret.txt')`,
      `select (select content from read_text('$outside/secret.txt'))`,
      `with x as materialized (select * from read_text('$outside/secret.txt')) select * from x`,
      `select * from query('from read_text(''$outside/secret.txt'')')`,
      `select * from query_table('$outside/secret.csv')`,
      `select * from query_table(['$outside/secret.csv'])`,
      `select * from json_execute_serialized_sql(json_serialize_sql('from read_text(''$outside/secret.txt'')'))`,
      `select pg_read_file('/etc/passwd')`,
      `select load_file('/etc/passwd')`,
      `select * from pg_read_file('/etc/passwd')`,
      `select * from arrow_scan(1, 2, 3)`,
    ],
    'the network': [
      `select * from read_csv('http://127.0.0.1:$port/a.csv')`,
      `select * from read_text('https://127.0.0.1:$port/a.csv')`,
      `from 'http://127.0.0.1:$port/a.parquet'`,
      `select * from read_parquet('s3://bucket/a.parquet')`,
      `select * from read_csv('hf://datasets/a.csv')`,
      `select * from postgres_scan('host=127.0.0.1', 'public', 't')`,
      `select * from sqlite_scan('$outside/other.duckdb', 't')`,
      `select http_get('http://127.0.0.1:$port/')`,
    ],
    'other databases': [
      `attach '$outside/other.duckdb' as other`,
      `attach '$outside/new.duckdb' as other`,
      `attach ':memory:' as other`,
      `attach 'host=127.0.0.1' as other (type postgres)`,
      `detach sample`,
      `use memory`,
      `select * from other.secrets`,
    ],
    writing: [
      `copy (select 1) to '$outside/written.csv'`,
      `copy items from '$outside/secret.csv'`,
      `copy from database sample to memory`,
      `export database '$outside/exported'`,
      `import database '$outside/exported'`,
      `create table t (a integer)`,
      `create temp table t (a integer)`,
      `create or replace view v as select 1`,
      `create macro f(x) as x`,
      `create type e as enum ('a')`,
      `create sequence s`,
      `create schema s`,
      `insert into items (id) values (4)`,
      `insert into items (id) values (4) returning id`,
      `with x as (select 1) insert into digits select * from x`,
      `update items set id = 5`,
      `delete from items`,
      `merge into digits using (select 1 as n) s on digits.n = s.n when matched then delete`,
      `truncate items`,
      `drop table items`,
      `alter table items rename to gone`,
      `comment on table items is 'x'`,
      `vacuum`,
      `analyze`,
      `checkpoint`,
    ],
    settings: [
      `set threads = 64`,
      `set global memory_limit = '1TB'`,
      `set enable_external_access = true`,
      `set lock_configuration = false`,
      `reset lock_configuration`,
      `reset all`,
      `set variable a = 1`,
      `set session search_path = 'x'`,
      `pragma memory_limit = '1TB'`,
      `pragma enable_profiling`,
      `pragma enable_logging`,
      `call pragma_version()`,
      `call enable_logging('QueryLog')`,
      `select set_config('threads', '64', false)`,
      `begin`,
      `commit`,
    ],
    extensions: [
      `install httpfs`,
      `load httpfs`,
      `load '$outside/evil.duckdb_extension'`,
      `install evil from community`,
      `force install json`,
      `update extensions`,
      `create secret s (type s3, key_id 'a', secret 'b')`,
      `create persistent secret s (type s3, key_id 'a', secret 'b')`,
      `drop secret s`,
    ],
    'more than one statement': [
      `select 1; select 2`,
      `select 1; drop table items`,
      `select 1 -- ;\n; drop table items`,
      `select 1 /* ; */; /* */ set threads = 1`,
      `;;select 1;;select 2`,
      `prepare p as select 1`,
      `execute p`,
      `deallocate p`,
      `pivot items on name using count(*)`,
      ``,
      `   -- nothing\n`,
      `;`,
      `select 1\0; drop table items`,
    ],
    'running text as SQL': [
      `select * from query('drop table items')`,
      `select * from query('select 1; select 2')`,
      `select * from query('set threads = 1')`,
      `select * from query('copy items to ''$outside/written.csv''')`,
      `select * from query('attach ''$outside/other.duckdb''')`,
      `explain analyze copy (select 1) to '$outside/written.csv'`,
      `explain analyze insert into digits values (11)`,
      `execute immediate 'drop table items'`,
      `do $$ begin drop table items; end $$`,
    ],
    'secrets of the process': [
      `select getenv('QUERYPOST_TEST_SECRET')`,
      `select current_setting('no_such_setting')`,
    ],
    'invalid input': [
      `select ?`,
      `select $1`,
      `select error('${'x'.repeat(1000)}')`,
      `select cast('x' as integer)`,
    ],
  }

  describe.each(Object.entries(refused))('%s', (_, statements) => {
    it.each(statements)('%s', async (sql) => {
      const outcome = await attempt(sql)
      expect(['refused', 'failed']).toContain(outcome.error?.kind)
      expect(withoutEchoes(outcome.answer, sql)).not.toContain(fixture.folder)
      await expectIntact(outcome)
    })
  })

  describe('introspection reveals nothing about the service', () => {
    it.each([
      `select * from duckdb_settings() where name <> 'allowed_directories'`,
      `select current_setting('allowed_paths')`,
      `select * from duckdb_databases()`,
      `select * from system.main.duckdb_databases()`,
      `select hex(path) from duckdb_databases()`,
      `select * from pragma_database_list`,
      `from query('from duckdb' || '_databases()')`,
      `from pragma_database_size()`,
      `from pragma_storage_info('digits')`,
      `select * from information_schema.schemata`,
      `select * from duckdb_tables()`,
      `from read_text('spill/*')`,
      `from glob('*')`,
      `from glob('../*')`,
      `from read_text('sample.duckdb')`,
      `from read_csv('missing.csv')`,
      `select current_setting('temp_directory'), current_setting('secret_directory'), current_setting('home_directory')`,
      `select * from duckdb_extensions()`,
      `select * from duckdb_logs`,
      `select * from duckdb_log_contexts()`,
      `select * from duckdb_variables()`,
      `select * from duckdb_prepared_statements()`,
      `select * from duckdb_temporary_files()`,
      `select * from duckdb_memory()`,
      `select * from duckdb_external_file_cache()`,
      `select * from information_schema.tables`,
      `select * from pg_catalog.pg_settings where name <> 'allowed_directories'`,
      `select * from pg_catalog.pg_database`,
      `select * from pragma_platform()`,
      `select * from pragma_user_agent()`,
      `select * from sql_auto_complete('from ''$outside/')`,
      `select * from sql_auto_complete('from read_text(''/etc/p')`,
      `select getvariable('QUERYPOST_TEST_SECRET')`,
      `select * from duckdb_secrets()`,
      `select * from which_secret('s3://bucket', 's3')`,
      `show all tables`,
      `explain select 1`,
    ])('%s', async (sql) => {
      const outcome = await attempt(sql)
      for (const known of [fixture.folder, Buffer.from(fixture.folder).toString('hex').toUpperCase()]) {
        expect(withoutEchoes(outcome.answer, sql)).not.toContain(known)
      }
      expect(outcome.answer).not.toContain(process.cwd())
      await expectIntact(outcome)
    })

    it('shows the database by its name and lets no path escape its apparent folder', async () => {
      const { answer } = await attempt(`select database_name, path from duckdb_databases() where not internal`)
      const [, name, apparentPath] = /\[\["(\w+)","(.*)"\]\]/.exec(answer) ?? /\["(\w+)","(.*)"\]/.exec(answer)!
      expect(name).toBe('sample')
      expect(apparentPath).toMatch(/\/duckdb-\w{6}\/sample\.duckdb$/)
      const stage = dirname(apparentPath!)
      // The only real path that is visible; see `sandbox.ts`.
      const { answer: settings } = await attempt(`select value from duckdb_settings() where name = 'allowed_directories'`)
      const spill = /\["\[(.*)\/\]"\]/.exec(settings)![1]!
      expect(spill.startsWith(fixture.temporaryDirectory)).toBe(true)
      for (const path of [
        `${spill}/../../../outside/secret.txt`,
        `${spill}/x/../../../../outside/secret.txt`,
        `${spill}/*/../../../../outside/secret.txt`,
        `${spill}/%2e%2e/../../../outside/secret.txt`,
        `${spill}//../..//../outside/secret.txt`,
        `${stage}/spill/../../${outside}/secret.txt`,
        `${stage}/spill/../opened`,
        `${stage}/spill/../../../outside/secret.txt`,
        `${stage}/spill/x/../../../../outside/secret.txt`,
        `${stage}/spill/*/../../../../outside/secret.txt`,
        `${stage}/spill/%2e%2e/../../../outside/secret.txt`,
        `${stage}/spill//../..//../outside/secret.txt`,
        `${apparentPath}/../outside/secret.txt`,
        `${apparentPath}.wal/../outside/secret.txt`,
        '/proc/self/fd/0',
        '/proc/self/environ',
      ]) {
        const outcome = await attempt(`select content from read_text('${path}')`)
        expect(outcome.answer, path).not.toContain('[[')
        await expectIntact(outcome)
      }
    })

    it('spills to disk only in the folder it was given', async () => {
      const sql = `select count(*) from (select distinct repeat(md5(i::varchar), 8) as x from range(1000000) r(i))`
      const { answer, error } = await attempt(sql)
      expect(error?.message ?? answer).toMatch(/1000000|max_temp_directory_size|Out of Memory|more memory/)
      expect(error?.message ?? '').not.toContain(fixture.folder)
    })
  })

  describe('changing the engine for later statements', () => {
    it.each([
      `select setseed(0.5)`,
      `select * from enable_logging('QueryLog')`,
      `select * from enable_logging(storage := 'file', storage_config := {'path': '$outside/log'})`,
      `select * from disable_logging()`,
      `select * from truncate_duckdb_logs()`,
      `select write_log('x', log_type := 'Metrics', level := 'INFO')`,
      `select write_log('x')`,
      `select * from enable_profiling()`,
      `select * from enable_profiling(save_location := '$outside/profile.json')`,
      `select * from enable_profiling(save_location := 'profile.json')`,
      `select * from disable_profiling()`,
      `select * from enable_peg_parser()`,
      `select * from disable_peg_parser()`,
      `select * from checkpoint()`,
      `select * from force_checkpoint()`,
      `select * from query('from enable_logging(''QueryLog'')')`,
    ])('%s', async (sql) => {
      await attempt(sql)
      await attempt(`select '${secret}' as private_text_of_another_user`)
      await expectIntact(await attempt('select * from duckdb_logs'))
      const result = await fixture.engine.run({ sql: 'select sum(n) from digits', signal: never() })
      for await (const batch of result.batches) expect(Buffer.from(batch.json).toString()).toBe('[45]')
      expect(result.statistics()).toEqual({ rowsRead: 10, rowsWritten: 0 })
    })

    it('does not carry a random seed over', async () => {
      await attempt('select setseed(0.25)')
      const first = await attempt('select random()')
      await attempt('select setseed(0.25)')
      expect(await attempt('select random()')).not.toEqual(first)
    })
  })

  describe('exhausting resources', () => {
    const deep = 100_000

    it.each([
      ['repeat', `select length(repeat('x', 4000000000))`],
      ['repeat of repeat', `select length(repeat(repeat('x', 1000000), 1000000))`],
      ['a string of everything', `select length(string_agg(repeat('x', 1000), '')) from range(100000000)`],
      ['a list of everything', `select length(list(range)) from range(1000000000)`],
      ['a range as list', `select length(range(10000000000))`],
      ['a row of 100 MB', `select repeat('x', 100000000)`],
      ['a row of 100 MB of escapes', `select repeat(chr(0), 100000000)`],
      ['a list of 100 MB', `select range(20000000)`],
      ['a sort that does not fit on disk', `select * from (select md5(range::varchar) x, md5((range + 1)::varchar) y from range(8000000)) order by x desc, y`],
      ['a join that does not fit', `select count(distinct a.range * b.range) from range(100000) a, range(100000) b`],
      ['a deep expression', `select ${'('.repeat(deep)}1${')'.repeat(deep)}`],
      ['a deep chain', `select ${'-'.repeat(1)} ${'not '.repeat(deep)}true`],
      ['a deep list', `select ${'['.repeat(deep)}1${']'.repeat(deep)}`],
      ['a deep subquery', `select ${'(select '.repeat(deep / 10)}1${')'.repeat(deep / 10)}`],
      ['a deep JSON', `select json_extract(repeat('[', ${deep * 10})::json, '$[0]')`],
    ])('%s', async (_, sql) => {
      // Other test files in this process may have left something behind.
      const beforeBytes = process.memoryUsage().arrayBuffers
      const outcome = await attempt(sql)
      expect(outcome.error?.kind, outcome.answer.slice(0, 200)).toBe('failed')
      await expectIntact(outcome)
      expect(process.memoryUsage().arrayBuffers - beforeBytes).toBeLessThan(100_000_000)
    })

    it('handles a megabyte of SQL like any other', async () => {
      const values = Array.from({ length: 100_000 }, (_, index) => `(${100_000 + index})`).join(',')
      const outcome = await attempt(`select count(*) from (values ${values}) v(x)`)
      expect(outcome.error?.kind ?? outcome.answer).toBe('[{"name":"count_star()","type":"integer"}][100000]')
      await expectIntact(outcome)
    })

    it('is not vulnerable to catastrophic backtracking in regular expressions', async () => {
      const outcome = await attempt(`select regexp_matches(repeat('a', 100000) || 'b', '^(a+)+$')`)
      expect(outcome.answer).toContain('[false]')
      await expectIntact(outcome)
    })
  })

  // The second of two joined ranges is kept in memory, so it is short.
  describe('never finishing', () => {
    it.each([
      `select count(*) from range(1000000000000) a, range(1000) b where a.range + b.range < 0`,
      `with recursive r(i) as (select 1 union all select 1 from r) select count(*) from r`,
      `select max(sin(a.range * b.range)) from range(1000000000000) a, range(1000) b`,
      `select sum(levenshtein(repeat('a', 3000), repeat('b', 3000) || range::varchar)) from range(100000000)`,
      `select * from range(1000000000000) where range < 0`,
      // One call of one function: DuckDB's own interrupt does not reach into it.
      `select length(lpad('x', 2000000000, 'y'))`,
    ])('%s', async (sql) => {
      const stop = new AbortController()
      const running = attempt(sql, stop.signal)
      await untilBegun(fixture.lastPid)
      stop.abort()
      const outcome = await running
      expect(outcome.error?.kind).toBe('stopped')
      await expectIntact(outcome)
    })
  })
})

/** Waits until the statement has begun: its process has used at least ten CPU ticks since it received the statement. */
async function untilBegun(pidOf: () => number): Promise<void> {
  if (!existsSync('/proc/self/stat')) return
  const ticks = async () => {
    const stat = await readFile(`/proc/${pidOf()}/stat`, 'utf8').catch(() => '')
    const parts = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(parts[11] ?? 0) + Number(parts[12] ?? 0)
  }
  let start = await ticks()
  let pid = pidOf()
  while ((await ticks()) < start + 10) {
    if (pid === pidOf()) continue
    pid = pidOf()
    start = await ticks()
  }
}
