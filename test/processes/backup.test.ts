import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { tryCommand } from '../../apps/cli/testing/command-context.ts'
import { systemClock } from '@querypost/server/ports'
import { createDatabase } from '@querypost/server/testing'
import { until } from '../faults/until.ts'
import { preparedDataDirectory, preparedEmail } from '../first-start.ts'
import { type ServiceProcess, startServiceProcess, testKey } from '../service-process.ts'

/** Backs up a service under load, restores it elsewhere and compares. */
let home: string
let source: string
let restored: string
let file: string
let service: ServiceProcess
// Nothing listens at the endpoint, so its deliveries stay pending, and a restored service must continue them.
const environment = { BOOTSTRAP_EMAIL: preparedEmail, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' }
const endpointUrl = 'https://127.0.0.1:9/hook'

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'querypost-restored-'))
  file = path.join(home, 'backup.tar.gz')
  restored = path.join(home, 'data')
  source = await preparedDataDirectory()
  service = await startServiceProcess({ dataDirectory: source, environment })
})
afterAll(async () => {
  await service.stop('SIGKILL')
  await rm(home, { recursive: true, force: true })
  await rm(source, { recursive: true, force: true })
})

interface Listed {
  items: { id: string; shortId: string; title: string; latestRun: { status: string } | null }[]
  nextCursor?: string
}

async function resultOf(queryId: string): Promise<{ status: number; etag: string | null; text: string }> {
  const headers = { authorization: `Bearer ${testKey}` }
  const answer = await fetch(`${service.baseUrl}/api/queries/${queryId}/result`, { headers })
  return { status: answer.status, etag: answer.headers.get('etag'), text: await answer.text() }
}

const querypost = async (args: string[], dataDirectory: string) => {
  const { exitCode, stdout, stderr } = await tryCommand([...args, '--json'], { environment: { DATA_DIR: dataDirectory } })
  return { exitCode, stderr, output: (stdout === '' ? {} : JSON.parse(stdout)) as Record<string, unknown> }
}

const pauseMs = 50

/** Writes until it is stopped, and records the acknowledged writes. */
function startWriting(references: Listed['items'], queryIds: string[]) {
  const created: string[] = []
  const titles = new Map<string, number>()
  let isStopping = false
  async function write(shortId: string, queryId: string) {
    for (let count = 1; !isStopping; count++) {
      const changed = await service.api('PUT', `/api/queries/refs/${shortId}`, { title: `Title ${count}` })
      if (changed.status === 200) titles.set(shortId, count)
      const made = await service.api('POST', '/api/queries/refs', { queryId })
      if (made.status === 201) created.push((made.body as { shortId: string }).shortId)
      if (count % 5 === 1) await service.api('POST', `/api/queries/${queryId}/refresh`)
      // Leave CPU time to the other processes of the test.
      await systemClock.sleep(pauseMs)
    }
  }
  const writers = references.slice(0, 2).map(({ shortId }, index) => write(shortId, queryIds[index]!))
  return {
    created,
    titles,
    async stop() {
      isStopping = true
      await Promise.all(writers)
    },
  }
}

test('a backup under load has everything acknowledged before it, and no partial writes', async () => {
  const page = await service.signIn()
  const made = await page('POST', '/app/api/webhook-endpoints', { url: endpointUrl, eventTypes: ['automation.run.completed'] })
  expect(made.status).toBe(201)
  const endpoint = made.body as { id: string; secret: string }
  const sent = await page('POST', `/app/api/webhook-endpoints/${endpoint.id}/test`)
  expect(sent.status).toBe(202)
  const references = ((await service.api('GET', '/api/queries/refs')).body as Listed).items
  const queryIds = ((await service.api('GET', '/api/queries')).body as Listed).items.map(({ id }) => id)
  // The sample's report has run these queries once. The others run repeatedly.
  const known = await Promise.all(queryIds.map(async (id) => ({ id, result: await resultOf(id) })))
  const quiet = known.filter(({ result }) => result.status === 200)
  const busy = known.filter(({ result }) => result.status === 404).map(({ id }) => id)
  expect(Math.min(quiet.length, busy.length)).toBeGreaterThan(1)

  const writing = startWriting(references, busy)
  await until(() => writing.created.length >= 10)
  const before = { created: [...writing.created], titles: new Map(writing.titles) }
  const backup = await querypost(['backup', '--output', file], source)
  const createdByThen = [...writing.created]
  await until(() => writing.created.length >= createdByThen.length + 5)
  await writing.stop()
  const late = writing.created.slice(createdByThen.length + 2)
  const { nextCursor } = (await service.api('GET', '/api/queries/refs?limit=2')).body as Listed
  expect(backup).toMatchObject({ exitCode: 0, output: { file, kind: 'embedded', wasRunning: true, secretKey: 'included' } })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await until(async () => !(await readdir(path.join(source, 'temporary'))).some((name) => name.startsWith('backup-')))

  const onRunning = await querypost(['restore', file, '--replace'], source)
  expect(onRunning).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/process \d+ is using this folder/) as string })
  await service.stop('SIGKILL')
  expect(await querypost(['restore', file], restored)).toMatchObject({ exitCode: 0, output: { dataDirectory: restored } })
  service = await startServiceProcess({ dataDirectory: restored, environment })

  expect(service.output()).not.toMatch(/Creating|Loading/)
  for (const shortId of before.created) {
    const { status, body } = await service.api('GET', `/api/queries/refs/${shortId}`)
    expect({ status, body }).toMatchObject({ status: 200, body: { currentQuery: { sql: expect.stringMatching(/select/i) as string } } })
  }
  for (const shortId of late) expect((await service.api('GET', `/api/queries/refs/${shortId}`)).status).toBe(404)
  for (const [shortId, count] of before.titles) {
    const { title } = (await service.api('GET', `/api/queries/refs/${shortId}`)).body as { title: string }
    expect(Number(title.split(' ')[1])).toBeGreaterThanOrEqual(count)
  }
  for (const id of busy.slice(0, 2)) expect(['completed', 'failed']).toContain(await untilEnded(id))
  for (const { id, result } of quiet) expect(await resultOf(id)).toEqual(result)
  for (const id of busy.slice(0, 2)) {
    await service.api('POST', `/api/queries/${id}/refresh`)
    expect(await untilEnded(id)).toBe('completed')
    expect((await resultOf(id)).status).toBe(200)
  }
  const admin = await service.signIn()
  expect((await admin('GET', `/app/api/webhook-endpoints/${endpoint.id}/secret`)).body).toMatchObject({ secret: endpoint.secret })
  const { items } = (await admin('GET', `/app/api/webhook-endpoints/${endpoint.id}/deliveries`)).body as { items: unknown[] }
  expect(items).toHaveLength(1)
  const refused = await service.api('GET', `/api/queries/refs?limit=2&cursor=${nextCursor}`)
  // The cursor is rejected permanently, not only while the restored store has used fewer transaction ids.
  const message = expect.stringContaining('The database was replaced') as string
  expect(refused).toMatchObject({ status: 400, body: { code: 'cursor_expired', message } })
})

async function untilEnded(queryId: string): Promise<string | undefined> {
  let status: string | undefined
  await until(async () => {
    const { latestRun } = (await service.api('GET', `/api/queries/${queryId}`)).body as Listed['items'][number]
    status = latestRun?.status
    return status === undefined || ['completed', 'failed'].includes(status)
  })
  return status
}

test('the command makes a backup while no service is running', async () => {
  await service.stop()
  const alone = path.join(home, 'alone.tar.gz')
  const { exitCode, output } = await querypost(['backup', '--output', alone, '--count-rows'], restored)
  expect({ exitCode, ...output }).toMatchObject({ exitCode: 0, file: alone, kind: 'embedded', wasRunning: false })
  expect((await readdir(restored)).sort()).toEqual([
    'archive',
    'backups.json',
    'databases',
    'lock.sqlite',
    'restored.json',
    'results',
    'secret.key',
    'store',
    'temporary',
  ])
  const again = await querypost(['backup', '--output', alone], restored)
  expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('already exists') as string })
  const occupied = await querypost(['restore', alone], restored)
  expect(occupied).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--replace') as string })
})

test('a drill proves a good backup, records that, and catches flipped bytes and missing results', async () => {
  const alone = path.join(home, 'alone.tar.gz')
  const database = await createDatabase(inject('postgresUrl'))
  const good = await querypost(['backup', 'verify', alone, '--folder', home, '--into', database, '--clean-up'], restored)
  expect(good).toMatchObject({ exitCode: 0, output: { isGood: true, faults: [], hasRecordedRows: true, isInPostgres: true, kind: 'embedded' } })
  const { tables, resultCount } = good.output as { tables: Record<string, { rowCount: number }>; resultCount: number }
  expect([tables['users']!.rowCount, tables['runs']!.rowCount > 0, resultCount > 0]).toEqual([1, true, true])
  const record = JSON.parse(await readFile(path.join(restored, 'backups.json'), 'utf8')) as object
  expect(record).toMatchObject({ backedUpAt: good.output['createdAt'], verified: { backupCreatedAt: good.output['createdAt'] } })

  const bytes = await readFile(alone)
  const middle = Math.floor(bytes.length / 2)
  // A single bit may change nothing: zeros copied from one byte or from two bytes before are the same zeros.
  for (let at = middle; at < middle + 64; at += 1) bytes[at]! ^= 0xff
  await writeFile(path.join(home, 'flipped.tar.gz'), bytes)
  const flipped = await querypost(['backup', 'verify', path.join(home, 'flipped.tar.gz'), '--folder', home], restored)
  expect(flipped).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The archive is damaged') as string })

  const [result] = await readdir(path.join(restored, 'results'))
  await rm(path.join(restored, 'results', result!))
  await querypost(['backup', '--output', path.join(home, 'less.tar.gz')], restored)
  const less = await querypost(['backup', 'verify', path.join(home, 'less.tar.gz'), '--folder', home], restored)
  const missing = `The result of ${result!.split('.')[0]} is missing.`
  expect(less).toMatchObject({ exitCode: 1, output: { isGood: false, hasRecordedRows: false, faults: [missing] } })
  expect((await readdir(home)).filter((name) => name.startsWith('querypost-drill-'))).toEqual([])
})
