import { type Check, failed, ok, skipped, warning } from '../check.ts'
import { judgeClockDifference } from './clocks.ts'
import type { Examination, Installation } from './examine.ts'

/** What an address answered, or why it did not. */
export type Answer = { status: number; text: string; dateMs: number | undefined } | { failure: string }

const answerWithinMs = 5000

export const runningService: Examination = {
  name: 'service',
  async look(installation) {
    const { url, config, ownerId, clock } = installation
    const health = await ask(installation, `${url}/healthz`)
    const service = judgeHealth({ url, health, ownerId })
    if (service.state !== 'ok') return [service]
    const nowMs = clock.now().getTime()
    const checks = [service, judgeReadiness(await ask(installation, `${url}/readyz`))]
    if ('dateMs' in health && health.dateMs !== undefined) {
      // The header has whole seconds.
      const difference = { who: 'the service', aheadMs: health.dateMs + 500 - nowMs, toleratedMs: 2500 }
      checks.push(judgeClockDifference('service’s clock', difference))
    }
    checks.push(judgeDocumentation(await ask(installation, `${url}/docs`)))
    if (config.baseUrl !== url)
      checks.push(judgeBaseUrl(config.baseUrl, await ask(installation, `${config.baseUrl}/healthz`)))
    return checks
  },
}

/** As it is reached from here: a service that listens everywhere listens here too. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  const here = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${here.includes(':') ? `[${here}]` : here}:${port}`
}

async function ask(
  { fetch, clock, signal }: Pick<Installation, 'fetch' | 'clock' | 'signal'>,
  url: string,
): Promise<Answer> {
  const silence = new AbortController()
  const over = new AbortController()
  void clock.sleep(answerWithinMs, over.signal).then(() => silence.abort())
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, silence.signal]), redirect: 'manual' })
    const text = (await answer.text()).slice(0, 500)
    const date = Date.parse(answer.headers.get('date') ?? '')
    return { status: answer.status, text, dateMs: Number.isNaN(date) ? undefined : date }
  } catch (error) {
    signal.throwIfAborted()
    if (silence.signal.aborted) return { failure: `no answer within ${answerWithinMs / 1000} seconds` }
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
    return { failure: cause?.code ?? cause?.message ?? message }
  } finally {
    over.abort()
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
  if (isHealthy(health)) return ok('service', `It answers at ${url}.`)
  if ('status' in health) {
    const what = `Something else answers at ${url} (status ${health.status}).`
    return failed(
      'service',
      what,
      'Another program has the port: stop it, or choose another with PORT. Or name the service’s address with --url.',
    )
  }
  if (ownerId === undefined) return skipped('service', `None is running at ${url}.`)
  return failed(
    'service',
    `Process ${ownerId} has the data directory, and does not answer at ${url}: ${health.failure}.`,
    'Does it listen on another PORT or HOST? Name its address with --url. If it hangs, its log says more.',
  )
}

export function judgeReadiness(answer: Answer): Check {
  if ('failure' in answer) return failed('readiness', `It does not say: ${answer.failure}.`, 'Look at its log.')
  if (answer.status === 200) return ok('readiness', 'It is ready; its store answers.')
  const said = /"status":"([^"]+)"/.exec(answer.text)?.[1] ?? `status ${answer.status}`
  return failed(
    'readiness',
    `It is not ready: ${said}.`,
    said === 'stopping' ? 'It was asked to stop.' : 'See the store below, and its log.',
  )
}

export function judgeDocumentation(answer: Answer): Check {
  if ('status' in answer && answer.status === 200) return ok('documentation', 'It is served at /docs.')
  return warning(
    'documentation',
    'There is none at /docs.',
    'The folder docs was not installed along with the service.',
  )
}

export function judgeBaseUrl(baseUrl: string, answer: Answer): Check {
  if (isHealthy(answer)) return ok('BASE_URL', `${baseUrl} leads to the service.`)
  const why = 'failure' in answer ? answer.failure : `status ${answer.status}`
  const remedy =
    'Permalinks, chats and documentation links begin with it. Correct it, or the proxy in front; from here the ' +
    'name may also be unknown.'
  return warning('BASE_URL', `${baseUrl} does not lead to the service: ${why}.`, remedy)
}
