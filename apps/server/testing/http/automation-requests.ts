import { expect } from 'vitest'
import type { ConditionState, Schedule } from '../../src/model/automation.ts'
import type { ConditionInput } from '../../src/domain/automations/check-automation.ts'
import type { TestOrganization, TestPerson } from '../test-service.ts'
import { storeQuery, storeReference } from './requests.ts'

/** Helpers for tests of the automation routes. */
export const automationsUrl = '/app/api/automations'
export const unknownAutomationId = 'automation_nothing'

export interface ShownAutomation {
  id: string
  name: string
  instructions: string
  agent: string
  references: string[]
  schedule: Schedule | null
  condition: ConditionInput | null
  conditionState: ConditionState | null
  enabled: boolean
  strict: boolean
  nextDueAt: string | null
  createdBy: string
  createdAt: string
  updatedAt: string
  latestRun: { id: string; status: string; requestedAt: string; endedAt: string | null; chatUrl: string } | null
}

export interface ShownAutomationRun {
  id: string
  status: string
  trigger: string
  triggerId: string
  dueAt: string | null
  missedCount: number
  isLate: boolean
  requestedAt: string
  chatShortId: string
}

/** Stores a query and a reference to it; returns the reference's short id. */
export async function storeReferenceTo(organization: TestOrganization, sql: string, title = 'Numbers'): Promise<string> {
  const query = await storeQuery(organization, sql)
  return (await storeReference(organization, query.id, { title })).shortId
}

export async function createAutomation(
  organization: TestOrganization,
  content: { references: string[] } & Record<string, unknown>,
): Promise<ShownAutomation> {
  const answer = await organization.admin.page('POST', automationsUrl, {
    name: 'Every morning',
    instructions: 'Tell me what changed.',
    ...content,
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

export async function getAutomation(person: TestPerson, id: string): Promise<ShownAutomation> {
  const answer = await person.page('GET', `${automationsUrl}/${id}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** Newest first. */
export async function runsOf(person: TestPerson, id: string): Promise<ShownAutomationRun[]> {
  const answer = await person.page('GET', `${automationsUrl}/${id}/runs?limit=100`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ items: ShownAutomationRun[] }>().items
}
