import { expect, test } from 'vitest'
import { needsAttention } from './needs-attention.ts'

const at = '2026-01-05T08:00:00.000Z'
const run = { id: 'arun_1', status: 'failed', isStopped: false, requestedAt: at, endedAt: at, chatUrl: '' } as const
const endpoint = { id: 'ep_1', url: 'https://hooks.shop.test/in', state: 'enabled', consecutiveFailures: 0, disabledAt: null, disabledReason: null } as const

test('shows nothing if everything is fine', () => {
  const automations = [
    { id: 'a1', name: 'New', latestRun: null },
    { id: 'a2', name: 'Fine', latestRun: { ...run, status: 'completed' as const } },
    { id: 'a3', name: 'Stopped by a person', latestRun: { ...run, isStopped: true } },
  ]
  const disabledByPerson = { ...endpoint, state: 'disabled' as const, disabledAt: at }
  expect(needsAttention({ automations, endpoints: [endpoint, disabledByPerson], unreadCount: 0 })).toEqual([])
})

test('shows failed automations, failing endpoints and unread notifications', () => {
  const automations = [{ id: 'a1', name: 'Monday report', latestRun: run }]
  const endpoints = [
    { ...endpoint, consecutiveFailures: 2 },
    { ...endpoint, id: 'ep_2', state: 'disabled' as const, disabledAt: at, disabledReason: 'Five events failed.' },
  ]
  expect(needsAttention({ automations, endpoints, unreadCount: 3 })).toEqual([
    { href: '/automations/a1', title: 'Monday report failed', at },
    { href: '/settings/webhooks/ep_1', title: 'Webhooks to hooks.shop.test fail' },
    { href: '/settings/webhooks/ep_2', title: 'Webhooks to hooks.shop.test are disabled', at },
    { href: '/notifications', title: '3 unread notifications' },
  ])
  expect(needsAttention({ automations: [], endpoints: [], unreadCount: 1 })[0]?.title).toBe('One unread notification')
})
