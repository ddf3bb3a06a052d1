import { expect, test } from 'vitest'
import { isPagePath } from '../../paths.ts'
import { hasOwnQuery } from './has-own-query.ts'
import { stepsOf } from './steps.ts'

const nothing = {
  hasModel: false,
  hasAsked: false,
  hasOwnQuery: false,
  hasRunAutomation: false,
  hasEndpoint: false,
  hasDelivered: false,
  hasInvited: false,
}

test('links every step to a page', () => {
  for (const { href } of stepsOf(nothing)) expect(isPagePath(href), href).toBe(true)
})

test('asks for a model before a question', () => {
  expect(stepsOf(nothing)[0]).toMatchObject({ isDone: false, href: '/settings/agents' })
  expect(stepsOf({ ...nothing, hasModel: true })[0]).toMatchObject({ isDone: false, href: '/ask' })
  expect(stepsOf({ ...nothing, hasModel: true, hasAsked: true })[0]!.isDone).toBe(true)
})

test('completes the webhook step only after a delivery', () => {
  const webhooks = (progress: Partial<typeof nothing>) => stepsOf({ ...nothing, ...progress })[3]!
  expect(webhooks({})).toMatchObject({ isDone: false, href: '/settings/webhooks/new' })
  expect(webhooks({ hasEndpoint: true })).toMatchObject({ isDone: false, href: '/settings/webhooks', text: expect.stringContaining('test event') })
  expect(webhooks({ hasEndpoint: true, hasDelivered: true }).isDone).toBe(true)
})

test('completes the step of the first query with a query that does not come with the sample', () => {
  const databases = [{ id: 'db_1', createdAt: '2026-01-01T10:00:00.000Z' }]
  const sample = { analyticalDatabaseConfigId: 'db_1', createdAt: '2026-01-01T09:59:58.000Z' }
  expect(hasOwnQuery([sample], databases)).toBe(false)
  expect(hasOwnQuery([{ ...sample, createdAt: '2026-01-01T10:05:00.000Z' }, sample], databases)).toBe(true)
  expect(stepsOf({ ...nothing, hasOwnQuery: true })[1]!.isDone).toBe(true)
  expect(stepsOf(nothing)[1]!.isDone).toBe(false)
})
