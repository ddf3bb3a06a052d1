import { readRefCalls, type RefCall } from '../../engines/lineage/ref-calls.ts'
import { readTileQueries, type TileQuery } from '../../store/boards/read-tile-queries.ts'
import type { Db, Tx } from '../../store/db.ts'
import { Refusal } from '../refusal.ts'

/** The saved queries that a query reads with `ref(…)`, directly and through others, by short id. */
export type InputQueries = ReadonlyMap<string, TileQuery>

/** How many saved queries can be read one through another. */
export const depthMax = 10
const callsMax = 100

/** Reads one level after another. Missing ones are left out; circles and levels below the deepest are not followed. */
export async function readInputQueries(db: Db | Tx, organizationId: string, sqls: string[]): Promise<InputQueries> {
  const found = new Map<string, TileQuery>()
  let next = [...new Set(sqls.flatMap(shortIdsIn))]
  for (let depth = 0; next.length > 0 && depth <= depthMax; depth++) {
    const queries = await readTileQueries(db, { organizationId, shortIds: next })
    for (const [shortId, query] of queries) found.set(shortId, query)
    const below = [...queries.values()].flatMap((query) => inputsOf(query))
    next = [...new Set(below)].filter((shortId) => !found.has(shortId))
  }
  return found
}

const shortIdsIn = (sql: string) => readRefCalls(sql).calls.map(({ shortId }) => shortId)

/** The short ids of what a saved query reads itself. */
export const inputsOf = ({ query }: Pick<TileQuery, 'query'>): string[] => (query?.readsSavedQueries ? shortIdsIn(query.sql) : [])

/** The calls in a text. Throws if one of them cannot be read. */
export function getRefCalls(sql: string): RefCall[] {
  const { calls, fault } = readRefCalls(sql)
  if (fault) throw new Refusal('ref_invalid', `${fault.message} (line ${sql.slice(0, fault.start).split('\n').length})`)
  if (calls.length > callsMax) throw new Refusal('ref_invalid', `The query has ${calls.length} calls of ref. At most ${callsMax} are allowed.`)
  return calls
}

/**
 * Rejects SQL that reads something that does not exist or that depends on who reads it, or that reads itself. `self` is the saved query that has the SQL, if there is one.
 */
export function checkInputs(sql: string, queries: InputQueries, self?: { shortId: string; title: string }): void {
  function visit(shortId: string, path: string[]): void {
    const known = queries.get(shortId)
    const name = known ? nameOf(known) : undefined
    const isSelf = shortId === self?.shortId
    if (isSelf || path.includes(shortId)) {
      const names = [...path.slice(isSelf ? 0 : path.indexOf(shortId)), shortId].map((each) => nameOf(queries.get(each) ?? { shortId: each, title: self?.title ?? each }))
      throw new Refusal('ref_invalid', `A saved query cannot read itself: ${isSelf ? 'this query' : names[0]!} reads ${names.slice(isSelf ? 0 : 1).join(', which reads ')}.`)
    }
    if (!known || !name) throw new Refusal('ref_invalid', `There is no saved query ref('${shortId}'). It may have been deleted.`)
    if (!known.query) throw new Refusal('ref_invalid', `The saved query ${name} has no SQL yet.`)
    if (known.query.isDatabaseDeleted) throw new Refusal('ref_invalid', `The database of the saved query ${name} was deleted, so it can no longer be run.`)
    if (known.query.hasRowRules) throw new Refusal('ref_invalid', `The saved query ${name} runs in a database with row rules, so other queries cannot read its result.`)
    if (path.length >= depthMax) throw new Refusal('ref_invalid', `Saved queries can read one another through at most ${depthMax} levels.`)
    if (checked.has(shortId)) return
    for (const below of inputsOf(known)) visit(below, [...path, shortId])
    checked.add(shortId)
  }
  const checked = new Set<string>()
  for (const { shortId } of getRefCalls(sql)) visit(shortId, [])
}

export const nameOf = ({ title, shortId }: { title: string; shortId: string }): string => `“${title}” (${shortId})`
