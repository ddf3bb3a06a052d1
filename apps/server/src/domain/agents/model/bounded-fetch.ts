import type { GuardedFetch } from '../../../ports/network/guarded-fetch.ts'

/** The same fetch, but responses fail once they exceed `maxBytes`: their reader buffers whole lines. */
export function boundAnswers(agentFetch: GuardedFetch, maxBytes: number): GuardedFetch {
  return async (input, init) => {
    const answer = await agentFetch(input, init)
    if (!answer.body) return answer
    let bytes = 0
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > maxBytes) controller.error(new AnswerTooLarge(maxBytes))
        else controller.enqueue(chunk)
      },
    })
    const { status, statusText, headers } = answer
    return new Response(answer.body.pipeThrough(bounded), { status, statusText, headers })
  }
}

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'

  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes.`)
  }
}
