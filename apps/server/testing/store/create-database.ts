import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** Creates an empty database, or a copy of a template, on the server that the global setup has started; returns its URL. */
export async function createDatabase(serverUrl: string, options: { template?: string } = {}): Promise<string> {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  await admin.query(`create database ${database} ${options.template === undefined ? '' : `template ${options.template}`}`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
