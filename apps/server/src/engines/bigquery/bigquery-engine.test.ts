import { createVerify, generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { errorOf, never, readAll } from '../../../testing/engines/engine-conformance.ts'
import { type HttpAnswer, type HttpRequestSeen, startScriptedHttp } from '../../../testing/servers/scripted-http.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import type { ServerSettings } from '../../model/server-settings.ts'
import { systemClock } from '../../ports/clock.ts'
import { EngineError } from '../engine.ts'
import { openBigqueryEngine } from './bigquery-engine.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

type Script = (request: HttpRequestSeen) => HttpAnswer | undefined

const schema = { fields: [{ name: 'n', type: 'INTEGER' }] }
const rows = (...values: string[]) => values.map((v) => ({ f: [{ v }] }))
const isDryRun = ({ body }: HttpRequestSeen) => body.includes('"dryRun":true')
const failure = (code: number, reason: string, message: string): HttpAnswer => ({
  status: code,
  body: { error: { code, message, errors: [{ reason, message }] } },
})
const dryRunOf = (statementType: string, totalBytesProcessed = '1000'): HttpAnswer => ({
  body: { status: { state: 'DONE' }, statistics: { query: { statementType, totalBytesProcessed } } },
})

/** A server that accepts every query and answers with one row, unless the script says otherwise. */
function usual(request: HttpRequestSeen): HttpAnswer {
  if (isDryRun(request)) return dryRunOf('SELECT')
  if (request.method === 'POST') return { body: { status: { state: 'RUNNING' } } }
  if (request.path.includes('/queries/')) return { body: { jobComplete: true, schema, rows: rows('1'), totalBytesProcessed: '1000' } }
  return { body: { status: { state: 'DONE' } } }
}

async function open(script: Script = () => undefined, change: Partial<ServerSettings> = {}, keyOf?: (port: number) => unknown) {
  const server = await startScriptedHttp((request) => script(request) ?? usual(request))
  const engine = openBigqueryEngine({
    settings: {
      host: 'warehouse.test', port: server.port, otherHosts: [], database: 'acme', user: 'reader@acme.test', tls: 'off',
      certificateAuthority: null, options: { dataset: 'shop', location: 'EU' }, ...change,
    },
    password: keyOf ? JSON.stringify(keyOf(server.port)) : null,
    addressesOf: async () => ['127.0.0.1'],
    clock: systemClock,
    log: silentLog,
  })
  stops.push(() => server.stop(), () => engine.close())
  return { engine, server }
}

describe('running a statement', () => {
  test('checks it by a dry run, starts a job and follows its pages', async () => {
    const pages: HttpAnswer[] = [
      { body: { jobComplete: false } },
      { body: { jobComplete: true, schema, rows: rows('1', '9007199254740993'), pageToken: 'second' } },
      { body: { jobComplete: true, schema, rows: rows('3'), totalBytesProcessed: '2048' } },
    ]
    const { engine, server } = await open(({ path }) => (path.includes('/queries/') ? pages.shift() : undefined))
    const result = await readAll(engine, 'select n from items;')
    expect(result.rows).toEqual([[1], ['9007199254740993'], [3]])
    expect(result.fields).toEqual([{ name: 'n', type: 'integer' }])
    const [first, second, ...reads] = server.seen
    expect(first!.path).toBe('/bigquery/v2/projects/acme/jobs')
    expect(isDryRun(first!)).toBe(true)
    expect(JSON.parse(second!.body)).toMatchObject({
      jobReference: { projectId: 'acme', location: 'EU' },
      configuration: { query: { query: 'select n from items', useLegacySql: false, defaultDataset: { projectId: 'acme', datasetId: 'shop' } } },
    })
    expect(reads.map(({ path }) => new URL(path, 'http://x').searchParams.get('pageToken'))).toEqual([null, null, 'second'])
  })

  test('reads the result where the server runs the job, if no location is set', async () => {
    const started = { body: { jobReference: { location: 'europe-west3' }, status: { state: 'RUNNING' } } }
    const { engine, server } = await open((request) => (request.method === 'POST' && !isDryRun(request) ? started : undefined), { options: {} })
    await readAll(engine, 'select 1')
    const { searchParams } = new URL(server.seen.at(-1)!.path, 'http://x')
    expect(searchParams.get('location')).toBe('europe-west3')
    expect(JSON.parse(server.seen[1]!.body)).not.toHaveProperty('jobReference.location')
  })

  test.each(['INSERT', 'SCRIPT', 'CREATE_TABLE', 'EXPORT_DATA'])('rejects a statement that is %s by its dry run', async (type) => {
    const { engine, server } = await open((request) => (isDryRun(request) ? dryRunOf(type) : undefined))
    expect(await errorOf(engine, 'select 1')).toMatchObject({ kind: 'refused', message: expect.stringContaining('not allowed') as string })
    expect(server.seen).toHaveLength(1)
  })

  test.each(['insert into t values (1)', 'begin select 1; end', 'select 1; select 2', 'export data options() as select 1', ''])(
    'sends nothing for %j',
    async (sql) => {
      const { engine, server } = await open()
      expect((await errorOf(engine, sql)).kind).toBe('refused')
      expect(server.seen).toEqual([])
    },
  )

  test('rejects a query that would read more than the limit, and passes the limit on', async () => {
    const options = { maxGigabytes: '1.5' }
    const large = await open((request) => (isDryRun(request) ? dryRunOf('SELECT', '1500000001') : undefined), { options })
    const message = expect.stringContaining('reads 1.5 GB, more than the limit of 1.5 GB') as string
    expect(await errorOf(large.engine, 'select 1')).toMatchObject({ kind: 'refused', message })
    expect(large.server.seen).toHaveLength(1)
    const fitting = await open((request) => (isDryRun(request) ? dryRunOf('SELECT', '1500000000') : undefined), { options })
    await readAll(fitting.engine, 'select 1')
    expect(JSON.parse(fitting.server.seen[1]!.body)).toMatchObject({ configuration: { query: { maximumBytesBilled: '1500000000' } } })
  })

  test('reports the position of an error', async () => {
    const { engine } = await open(() => failure(400, 'invalidQuery', 'Unrecognized name: nope at [2:6]'))
    const error = await errorOf(engine, "select\n'\u{1f600}', nope")
    expect(error).toMatchObject({ kind: 'failed', position: { line: 2, column: 7 } })
    expect(error.message).toMatch(/^Unrecognized name: nope\n/)
  })

  test('reports an error of the job', async () => {
    const { engine } = await open(({ path }) => (path.includes('/queries/') ? failure(400, 'invalidQuery', 'division by zero: 1 / 0') : undefined))
    expect(await errorOf(engine, 'select 1/0')).toMatchObject({ kind: 'failed', message: 'division by zero: 1 / 0' })
  })

  test.each<[HttpAnswer, kind: string, message: RegExp]>([
    [failure(401, 'authError', 'Invalid Credentials'), 'unreachable', /Authentication failed/],
    [failure(403, 'accessDenied', 'Access Denied: Table t'), 'refused', /Access Denied/],
    [failure(403, 'accessDenied', 'Access Denied: Project acme: User does not have bigquery.jobs.create'), 'unreachable', /Project acme/],
    [failure(404, 'notFound', 'Not found: Project acme'), 'unreachable', /Project acme/],
    [failure(404, 'notFound', 'Not found: Table t'), 'failed', /Not found/],
    [failure(503, 'backendError', 'Try again'), 'unreachable', /Try again/],
    [{ status: 502, body: '<html>' }, 'unreachable', /Try again later/],
    [{ status: 307, headers: { location: 'http://elsewhere.test/' } }, 'unreachable', /redirects/],
    [{ body: 'hello' }, 'unreachable', /not BigQuery/],
  ])('reports %j', async (answer, kind, message) => {
    const { engine } = await open(() => answer)
    expect(await errorOf(engine, 'select 1')).toMatchObject({ kind, message: expect.stringMatching(message) as string })
  })

  test('stops a job and confirms that it is done', async () => {
    const stop = new AbortController()
    let isCanceled = false
    const states = ['RUNNING', 'DONE']
    const { engine, server } = await open(({ path }) => {
      if (path.includes('/cancel')) isCanceled = true
      else if (path.includes('/queries/')) {
        stop.abort()
        return isCanceled ? failure(400, 'stopped', 'Job execution was cancelled') : { body: { jobComplete: false } }
      } else if (/\/jobs\/querypost-/.test(path)) return { body: { status: { state: states.shift() } } }
      return undefined
    })
    expect((await errorOf(engine, 'select 1', stop.signal)).kind).toBe('stopped')
    expect(server.seen.filter(({ path }) => /\/jobs\/querypost-\w+\?/.test(path))).toHaveLength(2)
    expect(states).toEqual([])
  })

  test('cancels the running job when it closes', async () => {
    const hasStarted = Promise.withResolvers<void>()
    let isCanceled = false
    const { engine, server } = await open(({ path }) => {
      if (path.includes('/cancel')) isCanceled = true
      if (!path.includes('/queries/')) return undefined
      hasStarted.resolve()
      return isCanceled ? failure(400, 'stopped', 'Job execution was cancelled') : { body: { jobComplete: false } }
    })
    const ended = errorOf(engine, 'select 1')
    await hasStarted.promise
    await engine.close()
    expect((await ended).kind).toBe('stopped')
    expect(server.seen.some(({ path }) => path.includes('/cancel'))).toBe(true)
    expect((await errorOf(engine, 'select 1')).kind).toBe('stopped')
  })
})

describe('estimating a statement', () => {
  test('returns the bytes of a dry run, and runs nothing', async () => {
    const { engine, server } = await open((request) => (isDryRun(request) ? dryRunOf('SELECT', '1234567890123') : undefined))
    expect(await engine.estimate!('select 1;', never())).toBe(1234567890123)
    expect(server.seen.map(isDryRun)).toEqual([true])
  })

  test.each(['drop table t', 'select 1; select 2'])('rejects %s, as a run does', async (sql) => {
    const { engine, server } = await open()
    await expect(engine.estimate!(sql, never())).rejects.toMatchObject({ kind: 'refused' })
    expect(server.seen).toEqual([])
  })

  test('reports the errors of the statement', async () => {
    const { engine } = await open(() => failure(400, 'invalidQuery', 'Unrecognized name: nope at [1:8]'))
    await expect(engine.estimate!('select nope', never())).rejects.toMatchObject({ kind: 'failed', position: { line: 1, column: 8 } })
  })
})

describe('signing in', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = {
    type: 'service_account', client_email: 'reader@acme.test', private_key_id: 'k1', private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
  const ownToken = (port: number) => ({ ...key, token_uri: `http://warehouse.test:${port}/token` })
  const issues: Script = ({ path }) => (path === '/token' ? { body: { access_token: 'token-1', expires_in: 3600 } } : undefined)

  test('exchanges a signed assertion for a token, once', async () => {
    const { engine, server } = await open(issues, {}, ownToken)
    await readAll(engine, 'select 1')
    const [token, ...calls] = server.seen
    const [header, claims, signature] = new URLSearchParams(token!.body).get('assertion')!.split('.')
    expect(createVerify('RSA-SHA256').update(`${header}.${claims}`).verify(publicKey, signature!, 'base64url')).toBe(true)
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({
      iss: 'reader@acme.test', aud: `http://warehouse.test:${server.port}/token`, scope: 'https://www.googleapis.com/auth/bigquery',
    })
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(calls.map(() => 'Bearer token-1'))
    expect(calls.length).toBeGreaterThan(2)
  })

  test.each<[name: string, change: Record<string, unknown>, message: RegExp]>([
    ['of another account', { client_email: 'other@acme.test' }, /another service account/],
    ['with the token endpoint of another server', { token_uri: 'https://elsewhere.test/token' }, /token_uri must be/],
    ['of another type', { type: 'authorized_user' }, /service account/],
    ['without a readable private key', { private_key: 'nonsense' }, /private_key/],
  ])('rejects a key %s, and sends nothing', async (_, change, message) => {
    const { engine, server } = await open(issues, {}, (port) => ({ ...ownToken(port), ...change }))
    const error = await errorOf(engine, 'select 1')
    expect(error).toMatchObject({ kind: 'unreachable', code: 'invalidKey', message: expect.stringMatching(message) as string })
    expect(error.message).not.toContain('nonsense')
    expect(server.seen).toEqual([])
  })

  test('reports a key that Google does not accept', async () => {
    const refuses: Script = () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } })
    const { engine } = await open(refuses, {}, ownToken)
    expect(await errorOf(engine, 'select 1')).toMatchObject({ code: 'authError', message: expect.stringContaining('Invalid JWT') as string })
  })
})

describe('workload identity', () => {
  const account = (port: number) => ({
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `http://warehouse.test:${port}/v1/token`,
    service_account_impersonation_url: `http://warehouse.test:${port}/v1/projects/-/serviceAccounts/reader@acme.test:generateAccessToken`,
    credential_source: {
      url: `http://warehouse.test:${port}/subject?format=json`,
      headers: { metadata: 'yes' },
      format: { type: 'json', subject_token_field_name: 'jwt' },
    },
  })
  const expireTime = () => new Date(Date.now() + 3_600_000).toISOString()
  const issues: Script = ({ path }) => {
    if (path.startsWith('/subject')) return { body: { jwt: 'subject-1' } }
    if (path === '/v1/token') return { body: { access_token: 'federated-1', expires_in: 3600 } }
    return path.endsWith(':generateAccessToken') ? { body: { accessToken: 'token-1', expireTime: expireTime() } } : undefined
  }

  test('exchanges the subject token and acts as the service account, once', async () => {
    const { engine, server } = await open(issues, {}, account)
    await readAll(engine, 'select 1')
    const [subject, exchange, impersonation, ...calls] = server.seen
    expect(subject).toMatchObject({ method: 'GET', path: '/subject?format=json', headers: { metadata: 'yes' } })
    expect(Object.fromEntries(new URLSearchParams(exchange!.body))).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience: account(1).audience,
      subject_token: 'subject-1',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    })
    expect(impersonation!.headers.authorization).toBe('Bearer federated-1')
    expect(JSON.parse(impersonation!.body)).toEqual({ scope: ['https://www.googleapis.com/auth/bigquery'] })
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(calls.map(() => 'Bearer token-1'))
    expect(calls.length).toBeGreaterThan(2)
  })

  test('takes a token that is the whole response', async () => {
    const plain: Script = (request) => (request.path === '/subject' ? { body: 'subject-2\n' } : issues(request))
    const { engine, server } = await open(plain, {}, (port) => ({ ...account(port), credential_source: { url: `http://warehouse.test:${port}/subject` } }))
    await readAll(engine, 'select 1')
    expect(new URLSearchParams(server.seen[1]!.body).get('subject_token')).toBe('subject-2')
  })

  test.each<[name: string, change: Record<string, unknown>, message: RegExp]>([
    ['that exchanges tokens elsewhere', { token_url: 'https://elsewhere.test/v1/token' }, /token_url must be https:\/\/sts\.googleapis\.com/],
    ['of another service account', { service_account_impersonation_url: 'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/other@acme.test:generateAccessToken' }, /serviceAccounts\/reader@acme\.test/],
    ['without a service account', { service_account_impersonation_url: undefined }, /service_account_impersonation_url/],
    ['with a file', { credential_source: { file: '/etc/passwd' } }, /Files and programs are not read/],
    ['with a program', { credential_source: { executable: { command: 'id' } } }, /Files and programs are not read/],
    ['with another kind of URL', { credential_source: { url: 'file:///etc/passwd' } }, /must have a url/],
    ['with an unknown format', { credential_source: { url: 'https://token.test/', format: { type: 'xml' } } }, /format/],
    ['without an audience', { audience: undefined }, /audience/],
  ])('rejects a configuration %s, and sends nothing', async (_, change, message) => {
    const { engine, server } = await open(issues, {}, (port) => ({ ...account(port), ...change }))
    expect(await errorOf(engine, 'select 1')).toMatchObject({ kind: 'unreachable', code: 'invalidKey', message: expect.stringMatching(message) as string })
    expect(server.seen).toEqual([])
  })

  test.each<[name: string, answers: Script, code: string, message: RegExp]>([
    ['no subject token', ({ path }) => (path.startsWith('/subject') ? { body: { other: 1 } } : undefined), 'invalidKey', /did not answer with a token/],
    ['a URL that fails', ({ path }) => (path.startsWith('/subject') ? { status: 404 } : undefined), 'invalidKey', /status 404/],
    ['a rejected subject token', ({ path }) => (path === '/v1/token' ? { status: 400, body: { error_description: 'Token expired.' } } : undefined), 'authError', /Token expired/],
    ['a missing role', ({ path }) => (path.endsWith('Token') ? { status: 403, body: { error: { message: 'Permission denied' } } } : undefined), 'authError', /workloadIdentityUser.*Permission denied/],
  ])('reports %s', async (_, answers, code, message) => {
    const { engine } = await open((request) => answers(request) ?? issues(request), {}, account)
    const error = await errorOf(engine, 'select 1')
    expect(error).toMatchObject({ kind: 'unreachable', code, message: expect.stringMatching(message) as string })
    expect(error.message).not.toMatch(/subject-1|federated-1/)
  })

  test('asks only allowed addresses for the subject token', async () => {
    const server = await startScriptedHttp((request) => issues(request) ?? usual(request))
    stops.push(() => server.stop())
    const asked: string[] = []
    const engine = openBigqueryEngine({
      settings: {
        host: 'warehouse.test', port: server.port, otherHosts: [], database: 'acme', user: 'reader@acme.test', tls: 'off',
        certificateAuthority: null, options: {},
      },
      password: JSON.stringify({ ...account(server.port), credential_source: { url: 'http://metadata.test/token' } }),
      async addressesOf({ host, port }) {
        asked.push(`${host}:${port}`)
        throw new EngineError('unreachable', 'This address is not allowed.')
      },
      clock: systemClock,
      log: silentLog,
    })
    stops.push(() => engine.close())
    expect(await errorOf(engine, 'select 1')).toMatchObject({ kind: 'unreachable', message: 'This address is not allowed.' })
    expect(asked).toEqual(['metadata.test:80'])
    expect(server.seen).toEqual([])
  })
})

test('describes tables with their descriptions, free of charge', async () => {
  const tableReference = { datasetId: 'shop', tableId: 'items' }
  const fields = [
    { name: 'id', type: 'INTEGER', mode: 'REQUIRED', description: 'Unique' },
    { name: 'tags', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'a', type: 'FLOAT' }] },
  ]
  const { engine, server } = await open(({ path }) => {
    if (path.endsWith('/items')) return { body: { tableReference, type: 'TABLE', description: 'Things', numRows: '3', schema: { fields } } }
    if (path.includes('/tables')) return { body: { tables: [{ tableReference }] } }
    return { body: { datasets: [{ datasetReference: { datasetId: 'shop' } }] } }
  })
  expect(await engine.describe(never())).toEqual([{
    schema: 'shop', name: 'items', kind: 'table', rowEstimate: 3, comment: 'Things',
    columns: [
      { name: 'id', type: 'INT64', nullable: false, comment: 'Unique' },
      { name: 'tags', type: 'ARRAY<STRUCT<a FLOAT64>>', nullable: true, comment: null },
    ],
  }])
  expect(server.seen.every(({ method }) => method === 'GET')).toBe(true)
})
