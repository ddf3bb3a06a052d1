import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import { channelSecretContext } from '../domain/channels/channel-secret.ts'
import { writeSlackSecret } from '../domain/channels/slack/slack-secret.ts'
import { makeSealer } from '../domain/sealing.ts'
import { systemClock } from '../ports/clock.ts'
import { secureRandom } from '../ports/random.ts'
import { checkChannels } from './check-channels.ts'

const secretKey = Buffer.alloc(32, 1)
let store: TestStore
beforeAll(async () => {
  store = await openTestStore('postgres')
  const now = new Date()
  await store.db.insertInto('organizations').values({ id: 'org_1', name: 'Acme', created_at: now }).execute()
  await store.db.insertInto('users').values({ id: 'user_1', email: 'a@example.com', name: 'A', password_hash: null, created_at: now }).execute()
  const add = (id: string, kind: 'slack_bot' | 'teams', secret: string, key: Uint8Array = secretKey) =>
    store.db
      .insertInto('channels')
      .values({
        id,
        organization_id: 'org_1',
        kind,
        name: id,
        settings: '{}',
        sealed_secret: makeSealer({ secretKey: key, random: secureRandom }).seal(secret, channelSecretContext(id)),
        created_by: 'user_1',
        created_at: now,
        updated_at: now,
      })
      .execute()
  await add('good bot', 'slack_bot', writeSlackSecret({ token: 'xoxb-good', signingSecret: null }))
  await add('revoked bot', 'slack_bot', writeSlackSecret({ token: 'xoxb-revoked', signingSecret: null }))
  await add('teams', 'teams', 'https://example.com/hook')
  await add('of another key', 'teams', 'https://example.com/hook', Buffer.alloc(32, 2))
})
afterAll(() => store.close())

test('asks only Slack’s API, and reports secrets that can’t be decrypted', async () => {
  const asked: string[] = []
  const slack: typeof fetch = async (url, init) => {
    asked.push(url as string)
    const isGood = new Headers(init!.headers).get('authorization') === 'Bearer xoxb-good'
    return Response.json(isGood ? { ok: true } : { ok: false, error: 'token_revoked' })
  }
  const slackApiUrl = 'https://slack.test/api/'
  const { signal } = new AbortController()
  const checked = await checkChannels({ db: store.db, secretKey, slackApiUrl, clock: systemClock, fetch: slack, signal })
  expect(Object.fromEntries(checked.map(({ name, state }) => [name, state]))).toEqual({
    'good bot': { kind: 'works' },
    'revoked bot': { kind: 'refused', detail: 'The token was revoked.' },
    teams: { kind: 'not_asked', failureCount: 0 },
    'of another key': { kind: 'secret_unreadable' },
  })
  expect(asked).toEqual(['https://slack.test/api/auth.test', 'https://slack.test/api/auth.test'])
})
