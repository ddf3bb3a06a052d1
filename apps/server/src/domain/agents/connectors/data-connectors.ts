import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import {
  type ConnectorKey,
  deleteConnector,
  findConnector,
  insertConnector,
  isNameTaken,
  listConnectors,
  lockConnectors,
  type StoredConnector,
  updateConnector,
} from '../../../store/agents/data-connectors-table.ts'
import type { Db, Tx } from '../../../store/db.ts'
import { changesOf, redactUrl } from '../../audit/changes.ts'
import { recordAction, recordChange } from '../../audit/record-action.ts'
import { isId, newId } from '../../ids.ts'
import { requireAdmin } from '../../access/require-admin.ts'
import type { Caller } from '../../../model/caller.ts'
import { Refusal } from '../../refusal.ts'
import type { Sealer } from '../../sealing.ts'
import { checkHeaders, checkName, checkUrl } from './check-connector.ts'
import { connectorsMax, type DataConnector } from '../../../model/data-connector.ts'

export interface ConnectorsDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
}

/** A connector as a person may see it: `url` is null for members, because any part of a URL may hold a token. */
export type ListedDataConnector = Omit<DataConnector, 'url'> & { url: string | null }

export async function listDataConnectors(deps: Pick<ConnectorsDeps, 'db'>, caller: Caller): Promise<ListedDataConnector[]> {
  const connectors = (await listConnectors(deps.db, caller.organizationId)).map(withoutHeaders)
  return caller.role === 'admin' ? connectors : connectors.map(withoutUrl)
}

export async function createDataConnector(
  deps: ConnectorsDeps,
  caller: Caller,
  input: { name: string; url: string; headers?: Record<string, string>; enabled?: boolean },
): Promise<DataConnector> {
  requireAdmin(caller)
  const { organizationId } = caller
  const now = deps.clock.now()
  const place = { id: newId(deps.random, 'connector'), url: checkUrl(input.url) }
  const connector: StoredConnector = {
    ...place,
    ...sealed(deps.sealer, place, checkHeaders(input.headers ?? {})),
    organizationId,
    name: checkName(input.name),
    enabled: input.enabled ?? true,
    createdBy: caller.userId,
    createdAt: now,
    updatedAt: now,
  }
  await deps.db.transaction().execute(async (tx) => {
    await lockConnectors(tx, organizationId)
    if ((await listConnectors(tx, organizationId)).length >= connectorsMax) throw tooMany()
    await refuseTakenName(tx, connector)
    await insertConnector(tx, connector)
    const { url, headerNames, enabled } = connector
    const details = { url: redactUrl(url), headerNames, enabled }
    await recordAction({ ...deps, tx }, caller, { action: 'data_connector.created', subject: subjectOf(connector), details })
  })
  return withoutHeaders(connector)
}

/**
 * New headers replace all existing ones. If the URL moves to another origin and no headers are given, the existing ones are removed:
 * headers entered for one server are never sent to another.
 */
export async function editDataConnector(
  deps: ConnectorsDeps,
  caller: Caller,
  connectorId: string,
  input: { name?: string; url?: string; headers?: Record<string, string>; enabled?: boolean },
): Promise<DataConnector> {
  requireAdmin(caller)
  const { organizationId } = caller
  const change = {
    ...(input.name !== undefined && { name: checkName(input.name) }),
    ...(input.url !== undefined && { url: checkUrl(input.url) }),
    ...(input.enabled !== undefined && { enabled: input.enabled }),
  }
  const headers = input.headers && checkHeaders(input.headers)
  return deps.db.transaction().execute(async (tx) => {
    await lockConnectors(tx, organizationId)
    const before = await requireConnector(caller, connectorId, (key) => findConnector(tx, key))
    const after = { ...before, ...change, updatedAt: deps.clock.now() }
    const isMoved = sealingContext(after) !== sealingContext(before)
    if (headers || isMoved) Object.assign(after, sealed(deps.sealer, after, headers ?? {}))
    await refuseTakenName(tx, after)
    await updateConnector(tx, after)
    await recordChange({ ...deps, tx }, caller, {
      action: 'data_connector.changed',
      subject: subjectOf(before),
      details: { changes: recordedChanges(before, after, { areHeadersGiven: headers !== undefined }) },
    })
    return withoutHeaders(after)
  })
}

export async function deleteDataConnector(
  deps: Pick<ConnectorsDeps, 'db' | 'clock' | 'random'>,
  caller: Caller,
  connectorId: string,
): Promise<void> {
  requireAdmin(caller)
  await deps.db.transaction().execute(async (tx) => {
    await lockConnectors(tx, caller.organizationId)
    const connector = await requireConnector(caller, connectorId, (key) => findConnector(tx, key))
    await deleteConnector(tx, { organizationId: caller.organizationId, connectorId })
    await recordAction({ ...deps, tx }, caller, { action: 'data_connector.deleted', subject: subjectOf(connector) })
  })
}

const subjectOf = ({ id, name }: StoredConnector) => ({ type: 'data_connector', id, name }) as const

/** Headers are recorded by name only; their values are secret. */
function recordedChanges(before: StoredConnector, after: StoredConnector, { areHeadersGiven }: { areHeadersGiven: boolean }) {
  const { name, url, headerNames, enabled } = after
  const { url: urlChange, ...changes } = changesOf(before, { name, url, headerNames, enabled })
  return {
    ...changes,
    ...(urlChange && { url: { before: redactUrl(before.url), after: redactUrl(url) } }),
    ...(areHeadersGiven && { headers: { before: 'not shown', after: headerNames.length === 0 ? 'none' : 'others' } }),
  }
}

/**
 * Looks up a connector of the caller's organization. Throws if there is none; connectors of other organizations do not exist for the
 * caller.
 */
export async function requireConnector<Found>(
  caller: Caller,
  connectorId: string,
  find: (key: ConnectorKey) => Promise<Found | undefined>,
): Promise<Found> {
  const found = isId(connectorId) ? await find({ organizationId: caller.organizationId, connectorId }) : undefined
  if (found !== undefined) return found
  const named = JSON.stringify(connectorId)
  const message = `There is no data connector ${named}. Check the list of connectors.`
  throw new Refusal('data_connector_not_found', message)
}

function sealed(sealer: Sealer, place: { id: string; url: string }, headers: Record<string, string>) {
  const headerNames = Object.keys(headers)
  if (headerNames.length === 0) return { headerNames, sealedHeaders: null }
  return { headerNames, sealedHeaders: sealer.seal(JSON.stringify(headers), sealingContext(place)) }
}

async function refuseTakenName(tx: Tx, { organizationId, name, id }: StoredConnector): Promise<void> {
  if (!(await isNameTaken(tx, { organizationId, name, exceptId: id }))) return
  const message = `Your organization already has a data connector named ${JSON.stringify(name)}.`
  throw new Refusal('invalid_request', message, [{ path: '/name', message: 'is taken; choose another' }])
}

const tooMany = () =>
  new Refusal(
    'invalid_request',
    `Your organization has ${connectorsMax} data connectors, the maximum. Delete one first.`,
  )

const withoutUrl = (connector: DataConnector): ListedDataConnector => ({ ...connector, url: null })
const withoutHeaders = ({ sealedHeaders: _, ...connector }: StoredConnector): DataConnector => connector

/** Encryption context of the headers. */
export const sealingContext = ({ id, url }: { id: string; url: string }): string =>
  `data connector ${id} at ${new URL(url).origin}`
