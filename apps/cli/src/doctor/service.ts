import { type Check, failed, ok, skipped, warning } from '../checks.ts'
import { judgeClockDifference } from './clocks.ts'
import type { Examination, Installation } from './examination.ts'

/** The response of an address, or why there was none. */
export type Answer = { status: number; text: string; dateMs: number | undefined } | { failure: string }

const timeoutMs = 5000

export const runningService: Examination = {
  name: 'service',
  async run(installation) {
    const { url, config, ownerId, clock } = installation
    const health = await request(installation, `${url}/healthz`)
    const service = judgeHealth({ url, health, ownerId })
    if (service.state !== 'ok') return [service]
    const nowMs = clock.now().getTime()
    const checks = [service, judgeReadiness(await request(installation, `${url}/readyz`))]
    if ('dateMs' in health && health.dateMs !== undefined) {
      // The Date header has whole seconds.
      const difference = { owner: 'the service', aheadMs: health.dateMs + 500 - nowMs, toleratedMs: 2500 }
      checks.push(judgeClockDifference('service clock', difference))
    }
    checks.push(judgeDocumentation(await request(installation, `${url}/docs`)))
    if (config.baseUrl !== url)
      checks.push(judgeBaseUrl(config.baseUrl, await request(installation, `${config.baseUrl}/healthz`)))
    return checks
  },
}

/** The service's address on this machine, also if it listens on all interfaces. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  const here = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${here.includes(':') ? `[${here}]` : here}:${port}`
}

export async function request(
  { fetch, clock, signal }: Pick<Installation, 'fetch' | 'clock' | 'signal'>,
  url: string,
): Promise<Answer> {
  const timeout = new AbortController()
  const finished = new AbortController()
  void clock.sleep(timeoutMs, finished.signal).then(() => timeout.abort())
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, timeout.signal]), redirect: 'manual' })
    const text = (await answer.text()).slice(0, 500)
    const date = Date.parse(answer.headers.get('date') ?? '')
    return { status: answer.status, text, dateMs: Number.isNaN(date) ? undefined : date }
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.signal.aborted) return { failure: `no answer within ${timeoutMs / 1000} seconds` }
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
    return { failure: cause?.code ?? cause?.message ?? message }
  } finally {
    finished.abort()
  }
}

const isHealthy = (answer: Answer) => 'status' in answer && answer.status === 200 && /"status":"ok"/.test(answer.text)

export function judgeHealth({
  url,
  health,
  ownerId,
}: {
  url: string
  health: Answer
  ownerId: number | undefined
}): Check {
  if (isHealthy(health)) return ok('service', `Running at ${url}.`)
  if ('status' in health) {
    const message = `Another program answers at ${url} (status ${health.status}).`
    return failed(
      'service',
      message,
      'Stop the program that uses the port, choose another port with PORT, or name the service’s address with --url.',
    )
  }
  if (ownerId === undefined) return skipped('service', `Not running at ${url}.`)
  return failed(
    'service',
    `Process ${ownerId} uses the data directory but does not answer at ${url}: ${health.failure}.`,
    'If it listens on another PORT or HOST, name its address with --url. If it hangs, check its log.',
  )
}

export function judgeReadiness(answer: Answer): Check {
  if ('failure' in answer) return failed('readiness', `No answer: ${answer.failure}.`, 'Check the log of the service.')
  if (answer.status === 200) return ok('readiness', 'Ready; the store answers.')
  const status = /"status":"([^"]+)"/.exec(answer.text)?.[1] ?? `status ${answer.status}`
  return failed(
    'readiness',
    `Not ready: ${status}.`,
    status === 'stopping' ? 'The service is shutting down.' : 'See the store below and the log of the service.',
  )
}

export function judgeDocumentation(answer: Answer): Check {
  if ('status' in answer && answer.status === 200) return ok('documentation', 'Served at /docs.')
  return warning(
    'documentation',
    'Missing at /docs.',
    'The docs folder was not installed with the service.',
  )
}

export function judgeBaseUrl(baseUrl: string, answer: Answer): Check {
  if (isHealthy(answer)) return ok('BASE_URL', `${baseUrl} reaches the service.`)
  const why = 'failure' in answer ? answer.failure : `status ${answer.status}`
  const remedy =
    'Links begin with BASE_URL. Correct it or the proxy in front. If the name is only known outside this network, ' +
    'ignore this.'
  return warning('BASE_URL', `${baseUrl} does not reach the service: ${why}.`, remedy)
}
