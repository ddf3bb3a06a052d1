import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** Creates a database with the migrated tables on the server that the global setup has started; returns its URL. */
export async function copyTemplate(serverUrl: string): Promise<string> {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  await admin.query(`create database ${database} template querypost_template`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
