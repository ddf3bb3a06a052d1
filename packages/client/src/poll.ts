import type { Transport } from './transport.ts'

const firstWaitMs = 100
const longestWaitMs = 2000

/** The wait before the next poll: from 100 ms to 2 s, half of it random, so that many clients do not poll in step. */
export function pollWaitMs(look: number, random: () => number): number {
  return Math.min(longestWaitMs, firstWaitMs * 1.5 ** (look - 1)) * (0.5 + random() / 2)
}

/** Polls until there is a value. */
export async function pollUntil<Seen>(
  { clock, random }: Pick<Transport, 'clock' | 'random'>,
  signal: AbortSignal,
  look: () => Promise<Seen | undefined>,
): Promise<Seen> {
  for (let number = 1; ; number++) {
    await clock.sleep(pollWaitMs(number, random), signal)
    signal.throwIfAborted()
    const seen = await look()
    if (seen !== undefined) return seen
  }
}
