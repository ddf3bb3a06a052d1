/**
 * Snowflake's SQL API, written from its documentation, in front of DuckDB: statements are submitted, asked for and canceled as with the
 * service itself, and results have its encodings and partitions. It understands only what the tests send.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance, type DuckDBConnection, type DuckDBMaterializedResult } from '@duckdb/node-api'
import { makeSemaphore } from '../../src/ports/semaphore.ts'
import { asDuckdb, failureBody } from './snowflake-double-sql.ts'
import { columnsOf, rowsOf } from './snowflake-double-values.ts'

export const snowflakeAccount = { account: 'org-acme', user: 'reader', database: 'SHOP', schema: 'main', token: 'pat-of-the-reader' }

interface Statement {
  handle: string
  sql: string
  connection: DuckDBConnection
  isCanceled: boolean
  /** Undefined while it waits or runs. */
  end: { result: DuckDBMaterializedResult } | { failure: { code: string; message: string } } | undefined
}

interface Submission {
  statement: string
  database?: string
  schema?: string
  parameters?: Record<string, string>
}

/** DuckDB runs on the threads that also unpack responses. With all of them taken, nobody could read the handle of a statement to stop. */
const runningMax = 2

/** Each chunk has 2,048 rows. */
const chunksPerPartition = 5

export interface SnowflakeDouble {
  port: number
  /** The private key of the user, in PEM form. */
  privateKey: string
  submissions: Submission[]
  /** Paths of all requests. */
  paths: string[]
  statementsRunning(): number
  /** Answers the next requests with this status instead. */
  failNext(...statuses: number[]): void
  stop(): Promise<void>
}

export async function startSnowflakeDouble(fixture: string[]): Promise<SnowflakeDouble> {
  const database = await DuckDBInstance.create(':memory:', { threads: '2' })
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const admin = await database.connect()
  await admin.run(`attach ':memory:' as ${snowflakeAccount.database}`)
  for (const sql of [`use ${snowflakeAccount.database}`, ...macros, ...fixture]) await admin.run(sql)

  const statements = new Map<string, Statement>()
  const byRequestId = new Map<string, Statement>()
  const submissions: Submission[] = []
  const paths: string[] = []
  const failing: number[] = []
  const running = makeSemaphore({ permits: runningMax })
  let hasStopped = false

  async function execute(statement: Statement, { database: name, schema }: Submission): Promise<void> {
    const release = await running.acquire()
    try {
      if (statement.isCanceled) throw new Error('INTERRUPT Error: Interrupted!')
      await statement.connection.run(name === snowflakeAccount.database ? `use ${name}.${schema ?? 'main'}` : 'use memory')
      statement.end = { result: await statement.connection.run(asDuckdb(statement.sql)) }
    } catch (error) {
      statement.end = { failure: failureBody(error, statement.sql) }
    } finally {
      release()
    }
  }

  async function submit(url: URL, submission: Submission): Promise<Statement> {
    const requestId = url.searchParams.get('requestId')!
    const known = url.searchParams.get('retry') === 'true' ? byRequestId.get(requestId) : undefined
    if (known) return known
    submissions.push(submission)
    const statement: Statement = { handle: randomUUID(), sql: submission.statement, connection: await database.connect(), isCanceled: false, end: undefined }
    statements.set(statement.handle, statement)
    byRequestId.set(requestId, statement)
    void execute(statement, submission)
    return statement
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const url = new URL(request.url!, 'http://double')
    paths.push(url.pathname + url.search)
    const send = (status: number, body: unknown): void => {
      if (hasStopped) return void response.destroy()
      const text = JSON.stringify(body)
      // Compressing all of a large result would take longer than everything else.
      const isZipped = text.length < 1024 * 1024
      response.writeHead(status, isZipped ? { 'content-encoding': 'gzip' } : {}).end(isZipped ? gzipSync(text) : text)
    }
    const status = failing.shift()
    if (status !== undefined) return send(status, { message: 'Try again.' })
    if (!isSignedIn(request, publicKey)) return send(401, { code: '390144', message: 'JWT token is invalid.' })
    const [, , , , handle, action] = url.pathname.split('/')
    if (request.method === 'POST' && handle === undefined) {
      const statement = await submit(url, JSON.parse(Buffer.concat(pieces).toString()) as Submission)
      return send(202, inProgress(statement))
    }
    const statement = statements.get(handle ?? '')
    if (!statement) return send(404, { code: '391916', message: 'Statement not found.' })
    if (action === 'cancel') {
      interrupt(statement)
      return send(200, { code: '000604', message: 'SQL execution canceled', statementHandle: statement.handle })
    }
    send(...reply(statement, url.searchParams.get('partition')))
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    submissions,
    paths,
    statementsRunning: () => [...statements.values()].filter(({ end }) => end === undefined).length,
    failNext: (...codes) => void failing.push(...codes),
    async stop() {
      hasStopped = true
      for (const statement of statements.values()) interrupt(statement)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An interruption that comes before DuckDB has begun has no effect, so it is repeated. */
function interrupt(statement: Statement): void {
  if (statement.end) return
  statement.isCanceled = true
  statement.connection.interrupt()
  setTimeout(interrupt, 5, statement)
}

const inProgress = ({ handle }: Statement) => ({
  code: '333334', message: 'Asynchronous execution in progress.', statementHandle: handle, statementStatusUrl: `/api/v2/statements/${handle}`,
})

function reply(statement: Statement, partition: string | null): [status: number, body: unknown] {
  const { end, handle } = statement
  if (!end) return [202, inProgress(statement)]
  if ('failure' in end) return [422, { ...end.failure, sqlState: '42000', statementHandle: handle }]
  const { result } = end
  const partitionCount = Math.max(1, Math.ceil(result.chunkCount / chunksPerPartition))
  const data = rowsOf(result, Number(partition ?? 0) * chunksPerPartition, chunksPerPartition)
  if (partition !== null && partition !== '0') return [200, { data }]
  const partitionInfo = Array.from({ length: partitionCount }, () => ({ rowCount: chunksPerPartition * 2048, uncompressedSize: 1 }))
  const resultSetMetaData = { numRows: result.rowCount, format: 'jsonv2', partitionInfo, rowType: columnsOf(result) }
  return [200, { resultSetMetaData, data, code: '090001', statementHandle: handle, message: 'Statement executed successfully.' }]
}

/** By a web token whose issuer, subject, times and signature are right, or by the programmatic token. */
function isSignedIn({ headers }: IncomingMessage, publicKey: KeyObject): boolean {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (headers['x-snowflake-authorization-token-type'] === 'PROGRAMMATIC_ACCESS_TOKEN') return token === snowflakeAccount.token
  const [header = '', claims = '', signature = ''] = token.split('.')
  if (!verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))) return false
  const { iss, sub, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string; sub: string; iat: number; exp: number }
  const subject = `${snowflakeAccount.account}.${snowflakeAccount.user}`.toUpperCase()
  const fingerprint = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' })).digest('base64')
  const nowSeconds = Date.now() / 1000
  return sub === subject && iss === `${subject}.SHA256:${fingerprint}` && iat <= nowSeconds && exp > nowSeconds && exp - iat <= 3600
}

/** Functions of Snowflake that the tests use. */
const macros = [
  `create macro current_version() as '9.37.1'`,
  'create macro hex_encode(v) as hex(encode(v))',
  'create macro parse_json(v) as cast(v as json)',
]
