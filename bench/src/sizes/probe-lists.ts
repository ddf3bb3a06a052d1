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

/** A list that is read this slowly has failed already. The last page is then the last one that was reached. */
const walkMaxMs = 20_000

/**
 * First, middle and last page of every list. Positions are found by reading the list to its end with the cursors that it returns, so the
 * measured pages are ones that people get to.
 */
export async function listProbes(sites: Site[]): Promise<Probe[]> {
  const probes: Probe[] = []
  for (const { route, isPaginated } of sites[0]!.lists) {
    if (!isPaginated) {
      probes.push({ what: route, act: (site) => site.get(addressIn(site, route)) })
      continue
    }
    const pageIn = (site: Site) => withQuery(addressIn(site, route), `limit=${measuredItems}`)
    probes.push({ what: `${route}, first page`, act: (site) => site.get(pageIn(site)) })
    const positions = new Map<Site, Positions>()
    for (const site of sites) positions.set(site, await walk(site, addressIn(site, route)))
    for (const which of ['middle', 'last'] as const) {
      if (![...positions.values()].every((each) => each[which] !== undefined)) continue
      probes.push({ what: `${route}, ${which} page`, act: (site) => site.get(withQuery(pageIn(site), `cursor=${positions.get(site)![which]}`)) })
    }
  }
  return probes
}

function addressIn(site: Site, route: string): string {
  const address = addressOf(route, site)
  if (address === undefined) throw new Error(`Nothing is known about ${route}. Add it to list-routes.ts.`)
  return address
}

async function walk(site: Site, address: string): Promise<Positions> {
  const cursors: string[] = []
  let cursor: string | undefined
  for (const untilMs = performance.now() + walkMaxMs; performance.now() < untilMs; ) {
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
