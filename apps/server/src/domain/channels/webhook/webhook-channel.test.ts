import { verify } from '@querypost/webhooks'
import { beforeEach, expect, test } from 'vitest'
import { sampleReport } from '../../../../testing/channels/sample-report.ts'
import { type FakeNetwork, fakeNetwork } from '../../../../testing/fake-network.ts'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import { silentLog } from '../../../../testing/silent-log.ts'
import { makeSealer } from '../../sealing.ts'
import { newSecret } from '../../webhooks/secret.ts'
import { makeAttempts } from '../../webhooks/sending/attempt.ts'
import { makeWebhookChannel, type ReportReceiver } from './webhook-channel.ts'

const random = seededRandom('webhook channel')
const sealer = makeSealer({ secretKey: Buffer.alloc(32, 7), random })
const secret = newSecret(random)
const url = 'https://hooks.example/reports'
const enabled: ReportReceiver = { url, isEnabled: true, sealedSecret: sealer.seal(secret, 'we_1') }
const clock = manualClock()
let network: FakeNetwork
beforeEach(() => {
  network = fakeNetwork()
})

/** A channel of an organization that has only the endpoint we_1. */
function channel(receiver: ReportReceiver | undefined = enabled) {
  const addressRules = { ownUrl: new URL('https://querypost.test'), allowedNetworks: [] }
  const makeAttempt = makeAttempts({ clock, log: silentLog, network, sealer, addressRules })
  const findReceiver = async (key: { organizationId: string; endpointId: string }) =>
    key.organizationId === 'org_1' && key.endpointId === 'we_1' ? receiver : undefined
  return makeWebhookChannel({ findReceiver, makeAttempt })
}

function send(given = channel(), signal = new AbortController().signal) {
  const to = { kind: 'channel', organizationId: 'org_1', channelId: 'chn_1', channelKind: 'webhook', settings: { endpointId: 'we_1' }, secret: null } as const
  return given.send({ ...sampleReport(), deliveryId: 'rdl_1', to }, signal)
}

test('sends an event that the receivers’ library verifies', async () => {
  expect(await send()).toEqual({ kind: 'sent' })
  const [{ headers, body }] = network.requests as [FakeNetwork['requests'][number]]
  const event = await verify({ headers, body, secret, now: clock.now() })
  expect(event).toMatchObject({
    id: 'rdl_1',
    type: 'report.sent',
    data: { title: 'Weekly sales', url: 'https://querypost.test/b/k7Rm2QwXn4', text: expect.stringContaining('Revenue was €12,345.60') },
  })
})

test.each([
  [{ status: 500 }, { kind: 'refused_for_now', detail: 'The endpoint responded with 500.' }],
  [{ status: 410 }, { kind: 'refused_for_good', isChannelBroken: true, detail: 'The endpoint responded with 410.' }],
  [{ failure: { kind: 'connection_failed' } }, { kind: 'refused_for_now', detail: 'Could not connect to the endpoint.' }],
] as const)('understands %o', async (answer, outcome) => {
  network.answer(url, answer)
  expect(await send()).toEqual(outcome)
})

test.each([
  ['a disabled endpoint', { ...enabled, isEnabled: false }],
  ['a private address', { ...enabled, url: 'https://127.0.0.1/' }],
])('sends nothing to %s', async (_, receiver) => {
  expect(await send(channel(receiver))).toMatchObject({ kind: 'refused_for_good', isChannelBroken: true })
  expect(network.requests).toEqual([])
})

test('rejects with the reason of its signal', async () => {
  await expect(send(channel(), AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
})

test('accepts only endpoints of the same organization', async () => {
  const check = (endpointId: string, organizationId: string) => channel().check({ settings: { endpointId } }, { organizationId })
  expect(await check('we_1', 'org_1')).toEqual({ settings: { endpointId: 'we_1', host: 'hooks.example' }, secret: null })
  for (const [endpointId, organizationId] of [['we_1', 'org_2'], ['we_2', 'org_1'], ['', 'org_1']] as const) {
    await expect(check(endpointId, organizationId)).rejects.toThrow('settings/endpointId must be the id of a webhook endpoint of your organization.')
  }
})
