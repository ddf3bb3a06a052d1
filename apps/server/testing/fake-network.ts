import { NameError, type Network, type PostAnswer, type PostRequest } from '../src/ports/network/network.ts'

/** A scripted network. Names that end in `.example` exist and are public by default. */
export interface FakeNetwork extends Network {
  /** Makes the name resolve to these addresses, or fail with this error. */
  name(hostname: string, answer: string[] | NameError): void
  /** Scripts the answer to POST requests to this URL: a status (and body), or a failure. The default is 200. */
  answer(url: string, answer: ScriptedAnswer): void
  /** Every POST so far, oldest first. */
  requests: SentRequest[]
  /** Every resolved name, oldest first. */
  resolved: string[]
}

export interface SentRequest {
  url: string
  addresses: readonly string[]
  headers: Record<string, string>
  body: string
}

type Answer = Partial<Pick<PostAnswer, 'status' | 'failure'>> & { body?: string }
export type ScriptedAnswer = Answer | ((request: PostRequest) => Answer | Promise<Answer>)

const publicAddress = '93.184.216.34'

export function fakeNetwork(): FakeNetwork {
  const names = new Map<string, string[] | NameError>()
  const answers = new Map<string, ScriptedAnswer>()
  const requests: SentRequest[] = []
  const resolved: string[] = []
  return {
    requests,
    resolved,
    name: (hostname, answer) => void names.set(hostname, answer),
    answer: (url, answer) => void answers.set(new URL(url).href, answer),
    async resolve(hostname) {
      resolved.push(hostname)
      const answer = names.get(hostname) ?? (hostname.endsWith('.example') ? [publicAddress] : undefined)
      if (answer === undefined) throw new NameError(`${hostname} is not a name of this test`, true)
      if (answer instanceof NameError) throw answer
      return answer
    },
    async post(request) {
      const { url, addresses, headers, body } = request
      requests.push({ url: url.href, addresses, headers, body: Buffer.from(body).toString() })
      const scripted = answers.get(url.href) ?? {}
      const answer = typeof scripted === 'function' ? await scripted(request) : scripted
      const failure = answer.failure ?? null
      return {
        address: addresses[0] ?? null,
        phases: { connectMs: null, tlsMs: null, responseMs: null, bodyMs: null },
        status: failure ? null : (answer.status ?? 200),
        response: Buffer.from(answer.body ?? '').subarray(0, request.responseKeptBytes),
        failure,
      }
    },
    async close() {},
  }
}
