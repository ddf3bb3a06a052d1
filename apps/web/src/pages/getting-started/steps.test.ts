import { expect, test } from 'vitest'
import { isPagePath } from '../../paths.ts'
import { stepsOf } from './steps.ts'

const nothing = { hasRunAutomation: false, hasEndpoint: false, hasDelivered: false, hasColleagues: false }

test('links every step to a page', () => {
  for (const { href } of stepsOf(nothing)) expect(isPagePath(href), href).toBe(true)
})

test('completes the webhook step only after a delivery', () => {
  const webhooks = (progress: Partial<typeof nothing>) => stepsOf({ ...nothing, ...progress })[2]!
  expect(webhooks({})).toMatchObject({ isDone: false, href: '/settings/webhooks/new' })
  expect(webhooks({ hasEndpoint: true })).toMatchObject({ isDone: false, href: '/settings/webhooks', text: expect.stringContaining('test event') })
  expect(webhooks({ hasEndpoint: true, hasDelivered: true }).isDone).toBe(true)
})
