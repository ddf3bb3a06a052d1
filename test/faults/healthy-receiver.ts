import {
  type Answer,
  type Authority,
  type Received,
  type Receiver,
  respond,
  startReceiver,
} from '@querypost/server/testing'

/** A receiver that accepts and keeps every request, with one path per endpoint. */
export interface HealthyReceiver extends Receiver {
  urlOf(path: string): string
  /** Calls back once when this many requests have arrived; the last of them has no response yet. */
  at(count: number, act: () => void): void
}

export async function startHealthyReceiver(options: {
  authority: Authority
  answer?: (request: Received) => Answer
  port?: number
  /** The delay before each response. */
  afterMs?: number
}): Promise<HealthyReceiver> {
  const { afterMs = 0, answer = () => respond(204) } = options
  const moments = new Map<number, () => void>()
  const receiver = await startReceiver({
    ...(options.port !== undefined && { port: options.port }),
    ...(await options.authority.issue({ names: ['127.0.0.1'] })),
    answer(request) {
      const count = receiver.requests.length
      moments.get(count)?.()
      moments.delete(count)
      return afterMs === 0 ? answer(request) : (socket) => setTimeout(() => answer(request)(socket), afterMs)
    },
  })
  return {
    ...receiver,
    urlOf: (path) => `https://127.0.0.1:${receiver.port}${path}`,
    at: (count, act) => void moments.set(count, act),
  }
}
