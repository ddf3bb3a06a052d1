import { Agent, request } from 'node:http'
import { systemClock } from '@querypost/server/ports'

/**
 * A minimal load balancer. It polls the readiness of each API process and sends requests to the ready ones in turn, over persistent
 * connections. It never retries: a request without a response is lost.
 */
export interface Balancer {
  send(method: string, route: string, options?: { headers?: Record<string, string>; body?: unknown }): Promise<Answer>
  /** Resolves when the process at this address was seen as ready, or as not ready. */
  untilSeen(url: string, isReady: boolean): Promise<void>
  close(): Promise<void>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: unknown
}

const checkEveryMs = 50

export async function startBalancer(urls: string[]): Promise<Balancer> {
  const ready = new Set<string>()
  const agents = new Map(urls.map((url) => [url, new Agent({ keepAlive: true })]))
  const closing = new AbortController()
  let turn = 0

  async function keepChecking(url: string) {
    while (!closing.signal.aborted) {
      // A new connection for each check, as load balancers do.
      const answer = await ask(`${url}/readyz`, { method: 'GET', headers: {}, agent: false }).catch(() => undefined)
      if (answer?.status === 200) ready.add(url)
      else ready.delete(url)
      await systemClock.sleep(checkEveryMs, closing.signal)
    }
  }
  const checking = Promise.all(urls.map(keepChecking))

  async function untilSeen(url: string, isReady: boolean) {
    while (ready.has(url) !== isReady) await systemClock.sleep(checkEveryMs)
  }
  await Promise.all(urls.map((url) => untilSeen(url, true)))
  return {
    untilSeen,
    send(method, route, { headers = {}, body } = {}) {
      const readyUrls = urls.filter((url) => ready.has(url))
      const url = readyUrls[turn++ % readyUrls.length]
      if (url === undefined) return Promise.reject(new Error('No process is ready.'))
      const text = body === undefined ? undefined : JSON.stringify(body)
      const sent = { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) }
      return ask(`${url}${route}`, { method, headers: sent, agent: agents.get(url)!, text })
    },
    async close() {
      closing.abort()
      await checking
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

function ask(
  url: string,
  options: { method: string; headers: Record<string, string>; agent: Agent | false; text?: string | undefined },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, headers, agent } = options
    const asking = request(url, { method, headers, agent }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        resolve({ status: answer.statusCode!, headers: answer.headers, body: text === '' ? null : JSON.parse(text) })
      })
    })
    asking.on('error', reject)
    asking.end(options.text)
  })
}
