/** Runs work side by side, at most so much at once: whoever brings more waits until some of it is done. */
export function makeAtMost(limit: number) {
  const underWay = new Set<Promise<void>>()
  return {
    async begin(work: () => Promise<void>): Promise<void> {
      while (underWay.size >= limit) await Promise.race(underWay)
      const working: Promise<void> = work().finally(() => underWay.delete(working))
      underWay.add(working)
      // Whoever waits hears of a failure by `all`; until then it is nobody's.
      working.catch(() => {})
    },
    async all(): Promise<void> {
      await Promise.all(underWay)
    },
  }
}
