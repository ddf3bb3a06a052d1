import { expect } from 'vitest'
import type { TestOrganization } from '../test-service.ts'

/** Adds a database of the engine `bigquery` on this machine, and returns its id. */
export async function addBigquery({ admin }: TestOrganization, port: number): Promise<string> {
  const settings = { host: '127.0.0.1', port, database: 'acme', user: 'reader@acme.test', tls: 'off' }
  const added = await admin.page('POST', '/app/api/databases', { name: 'Warehouse', engine: 'bigquery', settings, password: null })
  expect(added.statusCode, added.body).toBe(201)
  return added.json<{ id: string }>().id
}
