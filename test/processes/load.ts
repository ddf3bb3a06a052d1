import { systemClock } from '@querypost/server/ports'
import { testKey, testPassword } from '../service-process.ts'
import type { Balancer } from './balancer.ts'

/** Load from people and programs: four loops that list, refresh and read results, send test events, and run automations. */
export interface Load {
  /** Accepted with a 202, so they must not be lost. */
  readonly runIds: string[]
  readonly agentRunIds: string[]
  readonly eventIds: string[]
  readonly requestCount: () => number
  /** Requests without a response, or with an unexpected one. */
  readonly failures: string[]
  /** Stops after the current step of each loop. */
  stop(): Promise<void>
}

const pauseMs = 100

interface Watched {
  latestRun: { id: string; status: string }
}

export async function startLoad(
  balancer: Balancer,
  what: { queryIds: string[]; endpointId: string; automationId: string },
): Promise<Load> {
  const runIds: string[] = []
  const agentRunIds: string[] = []
  const eventIds: string[] = []
  const failures: string[] = []
  let requestCount = 0
  let isStopping = false
  const person = { email: 'admin@localhost', password: testPassword }
  const signedIn = await balancer.send('POST', '/app/api/session', { body: person })
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!

  /** Undefined when it failed. Failures are recorded. */
  async function send(method: string, route: string, expected: number): Promise<unknown> {
    requestCount += 1
    const headers = route.startsWith('/app/') ? { cookie } : { authorization: `Bearer ${testKey}` }
    try {
      const { status, body } = await balancer.send(method, route, { headers })
      if (status === expected) return body
      failures.push(`${method} ${route}: ${status} ${JSON.stringify(body)}`)
    } catch (error) {
      failures.push(`${method} ${route}: ${String(error)}`)
    }
    return undefined
  }

  async function lists() {
    await send('GET', '/api/queries', 200)
    await send('GET', '/api/queries/refs?limit=3', 200)
    await send('GET', '/app/api/automations', 200)
  }

  let turn = 0
  async function refresh() {
    const queryId = what.queryIds[turn++ % what.queryIds.length]!
    const run = (await send('POST', `/api/queries/${queryId}/refresh`, 202)) as { id: string } | undefined
    if (!run) return
    runIds.push(run.id)
    for (;;) {
      const query = (await send('GET', `/api/queries/${queryId}`, 200)) as Watched | undefined
      if (!query || !['pending', 'running'].includes(query.latestRun.status)) break
      await systemClock.sleep(pauseMs)
    }
    await send('GET', `/api/queries/${queryId}/result`, 200)
  }

  async function testEvent() {
    const sending = send('POST', `/app/api/webhook-endpoints/${what.endpointId}/test`, 202)
    const sent = (await sending) as { eventId: string } | undefined
    if (sent) eventIds.push(sent.eventId)
    await systemClock.sleep(5 * pauseMs)
  }

  async function automation() {
    const run = (await send('POST', `/app/api/automations/${what.automationId}/runs`, 202)) as { id: string } | undefined
    if (!run) return
    agentRunIds.push(run.id)
    for (;;) {
      const now = (await send('GET', `/app/api/automation-runs/${run.id}`, 200)) as { status: string } | undefined
      if (!now || !['pending', 'running'].includes(now.status)) return
      await systemClock.sleep(2 * pauseMs)
    }
  }

  const repeatTask = async (act: () => Promise<void>) => {
    while (!isStopping) {
      await act()
      await systemClock.sleep(pauseMs)
    }
  }
  const rows = Promise.all([lists, refresh, testEvent, automation].map(repeatTask))
  return {
    runIds,
    agentRunIds,
    eventIds,
    failures,
    requestCount: () => requestCount,
    async stop() {
      isStopping = true
      await rows
    },
  }
}
