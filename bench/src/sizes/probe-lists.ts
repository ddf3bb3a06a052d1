import { addressOf, withQuery } from './list-routes.ts'
import type { Site } from './site.ts'

/** A measured request: its name, and what it does on a site. */
export interface Probe {
  what: string
  act(site: Site): Promise<unknown>
}

interface Page {
  items: unknown[]
  nextCursor?: string
}

const walkedItems = 100
export const measuredItems = 20

/** Cursors of a list: of the page in the middle, and of the last page that is full. */
interface Positions {
  middle?: string
  last?: string
}

/**
 * First, middle and last page of every list. Positions are found by reading the list to its end with the cursors that it returns, so the
 * measured pages are ones that people get to.
 */
export async function listProbes(sites: Site[], queryId: string): Promise<Probe[]> {
  const probes: Probe[] = []
  for (const { route, isPaginated } of sites[0]!.lists) {
    const address = addressOf(route, { queryId })
    if (address === undefined) throw new Error(`Nothing is known about ${route}. Add it to list-routes.ts.`)
    if (!isPaginated) {
      probes.push({ what: route, act: (site) => site.get(address) })
      continue
    }
    const page = withQuery(address, `limit=${measuredItems}`)
    probes.push({ what: `${route}, first page`, act: (site) => site.get(page) })
    const positions = new Map<Site, Positions>()
    for (const site of sites) positions.set(site, await walk(site, address))
    for (const which of ['middle', 'last'] as const) {
      if (![...positions.values()].every((each) => each[which] !== undefined)) continue
      probes.push({ what: `${route}, ${which} page`, act: (site) => site.get(withQuery(page, `cursor=${positions.get(site)![which]}`)) })
    }
  }
  return probes
}

async function walk(site: Site, address: string): Promise<Positions> {
  const cursors: string[] = []
  let cursor: string | undefined
  for (;;) {
    const query = `limit=${walkedItems}${cursor === undefined ? '' : `&cursor=${cursor}`}`
    const { items, nextCursor } = (await site.get(withQuery(address, query))) as Page
    // The page after the last cursor is the last page, unless too few items are left to be compared with another page.
    if (cursor !== undefined && items.length >= measuredItems) cursors.push(cursor)
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  const [middle, last] = [cursors[Math.floor(cursors.length / 2)], cursors.at(-1)]
  return { ...(middle !== undefined && { middle }), ...(last !== undefined && { last }) }
}
