import type { Random } from '../../../ports/random.ts'
import type { Db } from '../../../store/db.ts'
import { readEndpointHealth } from '../../../store/webhooks/endpoint-health.ts'
import {
  findEndpoint,
  insertEndpoint,
  listEndpoints as readEndpoints,
  lockEndpoint,
  markEndpointDeleted,
  updateEndpoint,
} from '../../../store/webhooks/endpoints-table.ts'
import { changesOf, redactUrl } from '../../audit/changes.ts'
import { recordAction, recordChange } from '../../audit/record-action.ts'
import { type BasedOn, contentVersion, requireVersion } from '../../content-version.ts'
import { newId } from '../../ids.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireWebhooks } from '../../people/organization-settings.ts'
import { Refusal } from '../../refusal.ts'
import type { Sealer } from '../../sealing.ts'
import type { EventType } from '../../../model/event-type.ts'
import { newSecret } from '../secret.ts'
import { checkDescription, checkEventTypes, checkUrl, type UrlDeps } from './check-endpoint.ts'
import { type Endpoint, type EndpointInFull, heldCountMax, type ListedEndpoint } from '../../../model/endpoint.ts'
import { readSeries } from './endpoint-series.ts'
import type { EndpointSeries, SeriesPeriod } from '../../../model/endpoint-series.ts'
import { endpointSubject, requireEndpoint } from './require-endpoint.ts'

export interface EndpointsDeps extends UrlDeps {
  db: Db
  random: Random
  sealer: Sealer
}

/** The list of an organization is never paginated. */
export const endpointsMax = 100
/** Enough for a percentile, few enough to read for every endpoint of the list. */
const recentCount = 100

export async function listEndpoints(deps: Pick<EndpointsDeps, 'db'>, caller: Caller): Promise<EndpointInFull[]> {
  await requireWebhooks(deps, caller)
  return inFull(deps.db, await readEndpoints(deps.db, caller.organizationId))
}

/** With a chart of the last day for each, which reads many more deliveries. */
export async function listEndpointsWithSeries(deps: Pick<EndpointsDeps, 'db' | 'clock'>, caller: Caller): Promise<ListedEndpoint[]> {
  const endpoints = await listEndpoints(deps, caller)
  const series = await readSeries(
    deps,
    endpoints.map(({ id }) => id),
    'day',
  )
  return endpoints.map((endpoint) => Object.assign(endpoint, { series: series.get(endpoint.id)! }))
}

export async function getEndpoint(
  deps: Pick<EndpointsDeps, 'db'>,
  caller: Caller,
  endpointId: string,
): Promise<EndpointInFull> {
  await requireWebhooks(deps, caller)
  return oneInFull(deps.db, await requireEndpoint(caller, endpointId, (key) => findEndpoint(deps.db, key)))
}

export async function getEndpointSeries(
  deps: Pick<EndpointsDeps, 'db' | 'clock'>,
  caller: Caller,
  endpointId: string,
  period: SeriesPeriod,
): Promise<EndpointSeries> {
  await requireWebhooks(deps, caller)
  await requireEndpoint(caller, endpointId, (key) => findEndpoint(deps.db, key))
  return (await readSeries(deps, [endpointId], period)).get(endpointId)!
}

/** The response contains the secret, so that the creator need not request it. */
export async function createEndpoint(
  deps: EndpointsDeps,
  caller: Caller,
  input: { url: string; description?: string | null; eventTypes: EventType[]; isOrdered?: boolean },
): Promise<EndpointInFull & { secret: string }> {
  await requireWebhooks(deps, caller)
  const url = await checkUrl(deps, input.url)
  const now = deps.clock.now()
  const endpoint: Endpoint = {
    id: newId(deps.random, 'we'),
    organizationId: caller.organizationId,
    url,
    description: checkDescription(input.description ?? null),
    eventTypes: checkEventTypes(input.eventTypes),
    isOrdered: input.isOrdered ?? false,
    state: 'enabled',
    consecutiveFailures: 0,
    disabledAt: null,
    disabledReason: null,
    createdBy: caller.userId,
    createdAt: now,
    updatedAt: now,
  }
  const secret = newSecret(deps.random)
  const sealed = deps.sealer.seal(secret, endpoint.id)
  await deps.db.transaction().execute(async (tx) => {
    if (!(await insertEndpoint(tx, { ...endpoint, secret: sealed }, { countMax: endpointsMax }))) throw tooMany()
    const { description, eventTypes, isOrdered } = endpoint
    const details = { url: redactUrl(url), description, eventTypes, isOrdered }
    const subject = endpointSubject(endpoint)
    await recordAction({ ...deps, tx }, caller, { action: 'webhook_endpoint.created', subject, details })
  })
  return { ...(await oneInFull(deps.db, endpoint)), secret }
}

/** A changed URL also applies to pending deliveries. A changed order applies to later events. */
export async function editEndpoint(
  deps: EndpointsDeps,
  caller: Caller,
  endpointId: string,
  input: { url?: string; description?: string | null; eventTypes?: EventType[]; isOrdered?: boolean },
  basedOn: BasedOn = {},
): Promise<EndpointInFull> {
  await requireWebhooks(deps, caller)
  const { url, description, eventTypes, isOrdered } = input
  // Checked first, so that names are resolved only for someone who has the endpoint.
  await requireEndpoint(caller, endpointId, (key) => findEndpoint(deps.db, key))
  const change = {
    ...(url !== undefined && { url: await checkUrl(deps, url) }),
    ...(description !== undefined && { description: checkDescription(description) }),
    ...(eventTypes && { eventTypes: checkEventTypes(eventTypes) }),
    ...(isOrdered !== undefined && { isOrdered }),
    now: deps.clock.now(),
  }
  const edited = await deps.db.transaction().execute(async (tx) => {
    const before = await requireEndpoint(caller, endpointId, (key) => lockEndpoint(tx, key))
    requireVersion('endpoint', { current: endpointVersion(before), basedOn })
    const after = await requireEndpoint(caller, endpointId, (key) => updateEndpoint(tx, key, change))
    await recordChange({ ...deps, tx }, caller, {
      action: 'webhook_endpoint.changed',
      subject: endpointSubject(before),
      details: { changes: recordedChanges(before, after) },
    })
    return after
  })
  return oneInFull(deps.db, edited)
}

/** From now on it receives nothing and cannot be found. Its log is swept in batches. */
export async function deleteEndpoint(
  deps: Pick<EndpointsDeps, 'db' | 'clock' | 'random'>,
  caller: Caller,
  endpointId: string,
  basedOn: BasedOn = {},
): Promise<void> {
  await requireWebhooks(deps, caller)
  await deps.db.transaction().execute(async (tx) => {
    const endpoint = await requireEndpoint(caller, endpointId, (key) => lockEndpoint(tx, key))
    requireVersion('endpoint', { current: endpointVersion(endpoint), basedOn })
    await markEndpointDeleted(tx, { organizationId: caller.organizationId, endpointId }, deps.clock.now())
    const subject = endpointSubject(endpoint)
    await recordAction({ ...deps, tx }, caller, { action: 'webhook_endpoint.deleted', subject })
  })
}

export const endpointVersion = ({ url, description, eventTypes, isOrdered }: Endpoint) =>
  contentVersion({ url, description, eventTypes, isOrdered })

const recordedChanges = (before: Endpoint, { url, description, eventTypes, isOrdered }: Endpoint) => {
  const { url: urlChange, ...changes } = changesOf(before, { url, description, eventTypes, isOrdered })
  return { ...(urlChange && { url: { before: redactUrl(before.url), after: redactUrl(url) } }), ...changes }
}

const tooMany = () =>
  new Refusal(
    'invalid_request',
    `Your organization has ${endpointsMax} webhook endpoints, the maximum. Delete one first.`,
  )

async function inFull(db: Db, endpoints: Endpoint[]): Promise<EndpointInFull[]> {
  const endpointIds = endpoints.map(({ id }) => id)
  const found = await readEndpointHealth(db, { endpointIds, recentCount, heldMax: heldCountMax })
  return endpoints.map((endpoint) => ({ ...endpoint, ...found.get(endpoint.id)! }))
}

export async function oneInFull(db: Db, endpoint: Endpoint): Promise<EndpointInFull> {
  return (await inFull(db, [endpoint]))[0]!
}
