import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { Run } from '../../src/model/run.ts'
import type { TestOrganization, TestService } from '../test-service.ts'
import { type ErrorCode, errorCodes } from '../../src/model/error-code.ts'

/** Helpers for tests of the routes. */

/** The initial time of the test service's clock. */
export const startTime = '2026-01-05T09:00:00.000Z'
export const unknownUuid = '00000000-0000-7000-8000-000000000000'
export const unknownShortId = 'abcdefghjk'

export const isTimestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const isUuid = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)

const namingVersions = new Set<ErrorCode>(['version_conflict', 'knowledge_changed'])

/**
 * Checks a whole error response: the status, every field of the body, and no others. `details` must be absent unless given. A conflict of
 * versions names the current one; `isVersioned` is false for what can only be decided once.
 */
export function expectRefusal(
  answer: LightMyRequestResponse,
  code: ErrorCode,
  expected: { message?: RegExp; details?: unknown; isVersioned?: boolean } = {},
): void {
  expect(answer.json()).toEqual({
    type: errorCodes[code].status >= 500 ? 'api_error' : 'invalid_request',
    code,
    message: expected.message ? expect.stringMatching(expected.message) : expect.stringMatching(/\S \S.*\.$/s),
    documentation_url: `https://querypost.test/docs/errors#${code}`,
    ...(expected.details !== undefined && { details: expected.details }),
    ...(namingVersions.has(code) && expected.isVersioned !== false && { currentVersion: expect.any(String) }),
  })
  expect(answer.statusCode).toBe(errorCodes[code].status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['x-request-id']).toMatch(/^req_\w{22}$/)
  expect(answer.headers['www-authenticate']).toBe(errorCodes[code].status === 401 ? 'Bearer' : undefined)
}

/** For requests that fail schema validation: one detail with this path. */
export const at = (path: string, message: unknown = expect.any(String)) => ({ details: [{ path, message }] })

export interface StoredQuery {
  id: string
  sql: string
  analyticalDatabaseConfigId: string
  createdBy: string
  createdAt: string
  updatedAt: string
}

export interface StoredReference {
  id: string
  shortId: string
  title: string
  currentQuery: { id: string; sql: string }
  updatedAt: string
}

export async function storeQuery(organization: TestOrganization, sql: string): Promise<StoredQuery> {
  const analyticalDatabaseConfigId = organization.databaseId
  const answer = await organization.admin.page('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId })
  expect(answer.statusCode).toBe(201)
  return answer.json()
}

/** Stores a reference with optional further content. */
export async function storeReference(
  organization: TestOrganization,
  queryId: string,
  content: Record<string, unknown> = {},
): Promise<StoredReference> {
  const answer = await organization.admin.page('POST', '/app/api/references', { queryId, ...content })
  expect(answer.statusCode).toBe(201)
  return answer.json()
}

/** Waits for the end of a run that was started by a request with status 202. */
export async function endOf(
  service: TestService,
  organization: TestOrganization,
  starting: Promise<LightMyRequestResponse>,
): Promise<Run> {
  const answer = await starting
  expect(answer.statusCode, answer.body).toBe(202)
  return service.ended(organization.admin.caller, answer.json<{ id: string }>().id)
}

export function parameter(name: string, type: string, defaultValue: string) {
  return { name, displayName: `The ${name}`, type, defaultValue, description: '' }
}
