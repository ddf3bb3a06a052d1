import type { BoardTab, Tile } from '../../model/board.ts'
import type { ParameterDefinition } from '../../model/parameter.ts'
import { isPlaceholder, readRefCalls, type RefCall } from '../../engines/lineage/ref-calls.ts'
import type { SharedItemKey, Viewer } from '../../model/sharing/public-link.ts'
import { readTileQueries, type TileQuery } from '../../store/boards/read-tile-queries.ts'
import type { Db } from '../../store/db.ts'
import type { FindReference } from '../../store/references/references-table.ts'
import { getBoard, shortIdsOf } from '../boards/boards.ts'
import { readPlaceholders } from '../parameters/placeholder.ts'
import { getReference } from '../references/references.ts'
import { rowRulesApply } from '../row-rules/current-bindings.ts'
import { depthMax, type InputQueries, inputsOf, readInputQueries } from '../saved-queries/input-queries.ts'

/** A board, or a query as a board with one tile, so that viewers see both in the same way. */
export interface SharedItem {
  title: string
  description: string | null
  parameters: ParameterDefinition[]
  tabs: BoardTab[]
  tiles: Tile[]
}

export interface SharedItemDeps {
  db: Db
  findReference: FindReference
}

/** The id of the only tile of a shared query. */
const onlyTile = 'result'

export async function readSharedItem(deps: SharedItemDeps, key: SharedItemKey): Promise<SharedItem> {
  if (key.kind === 'board') return getBoard(deps, key, key.shortId)
  const { title, description, parameters, shortId } = await getReference(deps, key, key.shortId)
  const parameterMapping = Object.fromEntries(parameters.map(({ name }) => [name, name]))
  const place = { x: 0, y: 0, width: 12, height: 8 }
  const tile: Tile = { id: onlyTile, kind: 'reference', referenceShortId: shortId, parameterMapping, ...place }
  return { title, description, parameters, tabs: [], tiles: [tile] }
}

export interface ViewedItem extends SharedItem {
  /** The queries of the tiles, by short id. */
  queries: Map<string, TileQuery>
}

/** The item without tiles that would get around a locked value, or whose rows depend on who looks. */
export async function readViewedItem(deps: SharedItemDeps, viewer: Viewer): Promise<ViewedItem> {
  const { title, description, parameters, tabs, tiles } = await readSharedItem(deps, viewer)
  const { queries, inputs, isBound } = await readQueriesOf(deps, viewer, tiles)
  const locked = Object.keys(viewer.lockedValues)
  const shown = tiles.filter((tile) => !isBound(tile) && !escapesLock(tile, queries.get(tile.referenceShortId ?? ''), locked, inputs))
  return { title, description, parameters, tabs, tiles: shown, queries }
}

/** The queries of tiles and what these read, and for which tiles the rows depend on who looks. A single query like that can't be shared. */
async function readQueriesOf({ db }: SharedItemDeps, { organizationId, kind }: SharedItemKey, tiles: Tile[]) {
  const queries = await readTileQueries(db, { organizationId, shortIds: shortIdsOf(tiles) })
  const inputs = await readInputQueries(db, organizationId, sqlReadingOthers(queries))
  const isBound = ({ referenceShortId }: Tile) => hasRowRules(queries.get(referenceShortId ?? ''), inputs)
  if (kind === 'reference' && tiles.some(isBound)) throw notForViewers()
  return { queries, inputs, isBound }
}

/** What someone wants to share. */
export async function readItemToShare(deps: SharedItemDeps, key: SharedItemKey): Promise<SharedItem> {
  const item = await readSharedItem(deps, key)
  await readQueriesOf(deps, key, item.tiles)
  return item
}

/** Whether the rows of a query, or of those that it reads, depend on who looks. */
function hasRowRules(query: TileQuery | undefined, inputs: InputQueries, depth = 0): boolean {
  if (!query || depth > depthMax) return false
  return query.query?.hasRowRules === true || inputsOf(query).some((shortId) => hasRowRules(inputs.get(shortId), inputs, depth + 1))
}

const notForViewers = () =>
  rowRulesApply('The database of this query has row rules, so its results depend on who looks and cannot be shared outside the organization.')

const sqlReadingOthers = (queries: ViewedItem['queries']) =>
  [...queries.values()].flatMap(({ query }) => (query?.readsSavedQueries ? query.sql : []))

/**
 * Whether a tile's query has a parameter with a locked name that does not get its value from the locked one: then its rows would be
 * those of the default, or of a value that the viewer chose for another parameter. Names that differ only in case count as the same.
 * The same holds for the saved queries that it reads with `ref(…)`, which get their values from the call.
 */
export function escapesLock(
  { kind, parameterMapping = {} }: Pick<Tile, 'kind' | 'parameterMapping'>,
  query: Pick<TileQuery, 'parameters' | 'query'> | undefined,
  locked: readonly string[],
  inputs: InputQueries = new Map(),
  depth = 0,
): boolean {
  if (kind !== 'reference' || !query || locked.length === 0) return false
  const names = new Set(query.parameters.map(({ name }) => name))
  if (query.query) {
    for (const { placeholders } of readPlaceholders(query.query.sql, query.query.dialect)) for (const { name } of placeholders) names.add(name)
  }
  const escapesItself = [...names].some((name) => {
    const lock = locked.find((each) => each.toLowerCase() === name.toLowerCase())
    return lock !== undefined && parameterMapping[name] !== lock
  })
  if (escapesItself || depth > depthMax) return true
  const calls = query.query?.readsSavedQueries ? readRefCalls(query.query.sql).calls : []
  return calls.some((call) =>
    escapesLock({ kind, parameterMapping: mappingOf(call, parameterMapping) }, inputs.get(call.shortId), locked, inputs, depth + 1),
  )
}

/** Where the parameters of a saved query get their values from, if it is read by this call. */
function mappingOf({ values }: RefCall, outer: Record<string, string>): Record<string, string> {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const from = isPlaceholder(value) ? outer[value.placeholder] : undefined
    return from === undefined ? [] : [[name, from] as const]
  })
  return Object.fromEntries(entries)
}
