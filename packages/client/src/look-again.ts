import type { Transport } from './transport.ts'

const firstWaitMs = 100
const longestWaitMs = 2000

/** Before the next look: from 100 ms to 2 s, half of it by chance, so that many who wait do not ask in step. */
export function lookAgainWaitMs(look: number, random: () => number): number {
  return Math.min(longestWaitMs, firstWaitMs * 1.5 ** (look - 1)) * (0.5 + random() / 2)
}

/** Looks until there is something to see. */
export async function lookUntil<Seen>(
  { clock, random }: Pick<Transport, 'clock' | 'random'>,
  signal: AbortSignal,
  look: () => Promise<Seen | undefined>,
): Promise<Seen> {
  for (let number = 1; ; number++) {
    await clock.sleep(lookAgainWaitMs(number, random), signal)
    signal.throwIfAborted()
    const seen = await look()
    if (seen !== undefined) return seen
  }
}
