import { signIn } from '../api/caller.ts'
import { makeWorld, type World } from '../api/world.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { quantile } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { type HeldProvider, startHeldProvider } from './held-provider.ts'

export const benchFirstToken = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const rounds = 40
const goalMs = 150
const firstToken = 'Hello there, '

/** From the provider's first token until the page's event stream shows it, and until a client of the provider itself does. */
async function measurePage(world: World): Promise<Measurement[]> {
  const provider = await startHeldProvider()
  try {
    const pages = await signIn(world.service)
    await pages.put('/app/api/model-settings', { provider: 'openai_compatible', baseUrl: provider.url, model: 'held' })
    const took = await takeTurns(rounds, { page: () => throughPage(pages, provider), direct: () => directly(provider) })
    return [0.5, 0.99].map((share) => {
      const [ours, ceiling] = [quantile(took.page, share), quantile(took.direct, share)]
      return {
        what: `first token in the page, p${share * 100}`,
        unit: 'ms',
        ours,
        ceiling: { what: 'the provider’s own stream', value: ceiling },
        goal: boundGoal({ value: ours, below: goalMs, unit: 'ms' }),
      }
    })
  } finally {
    await provider.close()
  }
}

async function throughPage(pages: Awaited<ReturnType<typeof signIn>>, provider: HeldProvider): Promise<number> {
  const { shortId } = await pages.post<{ shortId: string }>('/app/api/chats', { text: 'Say hello.' })
  const leaving = new AbortController()
  const events = await pages.open(`/app/api/chats/${shortId}/events`, leaving.signal)
  const answer = await provider.next()
  const seen = readUntil(events, firstToken.trim())
  const startedMs = performance.now()
  answer.say(firstToken)
  await seen
  const tookMs = performance.now() - startedMs
  leaving.abort()
  answer.say('and goodbye.')
  answer.end()
  return tookMs
}

async function directly(provider: HeldProvider): Promise<number> {
  const leaving = new AbortController()
  const response = await fetch(`${provider.url}/chat/completions`, { method: 'POST', body: '{}', signal: leaving.signal })
  const answer = await provider.next()
  const seen = readUntil(response, firstToken.trim())
  const startedMs = performance.now()
  answer.say(firstToken)
  await seen
  const tookMs = performance.now() - startedMs
  answer.end()
  leaving.abort()
  return tookMs
}

async function readUntil(response: Response, text: string): Promise<void> {
  const decoder = new TextDecoder()
  const reader = response.body!.getReader()
  let received = ''
  while (!received.includes(text)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The stream ended before ${JSON.stringify(text)}.`)
    received += decoder.decode(value, { stream: true })
  }
}

const benchmark = {
  name: 'first-token',
  title: 'First token of an answer',
  limitMinutes: 10,
  makeWorld: () => makeWorld({ environment: { AGENT_ALLOWED_NETWORKS: '127.0.0.1/32' } }),
  parts: { page: measurePage },
}
