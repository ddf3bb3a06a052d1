import type { Log } from '../../ports/log.ts'

/**
 * What a request starts and does not wait for, since how long it takes would tell something: whether an address has an
 * account. A failed errand is logged; whoever asked may ask again.
 */
export interface Errands {
  start(what: string, act: () => Promise<void>): void
  /** Resolves when none is under way any more: for shutting down. */
  settled(): Promise<void>
}

export function makeErrands(deps: { log: Pick<Log, 'error'> }): Errands {
  const underWay = new Set<Promise<void>>()
  async function carryOut(what: string, act: () => Promise<void>) {
    try {
      await act()
    } catch (error) {
      deps.log.error({ err: error }, `could not ${what}`)
    }
  }
  return {
    start(what, act) {
      const errand = carryOut(what, act).finally(() => underWay.delete(errand))
      underWay.add(errand)
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
