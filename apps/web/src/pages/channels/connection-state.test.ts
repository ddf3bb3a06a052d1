import { expect, test } from 'vitest'
import type { SlackConnection } from '../../api/channels.ts'
import { connectionState } from './connection-state.ts'

const ready: SlackConnection = {
  requestUrl: 'https://querypost.test/slack/events/chn_1',
  manifest: '{}',
  hasSigningSecret: true,
  missingScopes: [],
  refusal: null,
  lastEventAt: '2026-01-05T09:00:00.000Z',
  lastRejectedAt: null,
  lastForeignAt: null,
  problem: null,
}
const before = '2026-01-05T08:00:00.000Z'
const later = '2026-01-05T10:00:00.000Z'

test.each<[string, Partial<SlackConnection>]>([
  ['Ready', {}],
  ['Ready', { lastRejectedAt: before, lastForeignAt: before, missingScopes: null }],
  ['Not connected', { refusal: 'The token was revoked.', hasSigningSecret: false }],
  ['Not set up', { hasSigningSecret: false, lastEventAt: null }],
  ['Missing permissions', { missingScopes: ['im:history'], lastEventAt: null }],
  ['Waiting for Slack', { lastEventAt: null }],
  ['Wrong signature', { lastEventAt: null, lastRejectedAt: before }],
  ['Wrong signature', { lastRejectedAt: later }],
  ['Another workspace', { lastForeignAt: later }],
  ['Problem', { problem: { at: later, reason: 'The chart was not sent.' } }],
])('is %s with %o', (label, change) => {
  expect(connectionState({ ...ready, ...change }).label).toBe(label)
})
