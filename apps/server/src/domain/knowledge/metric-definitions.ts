import type { Caller } from '../../model/caller.ts'
import { type KnowledgeItem, knowledgeLimits, type MetricContent, type MetricDefinition } from '../../model/knowledge.ts'
import type { Db, Tx } from '../../store/db.ts'
import {
  countKnowledgeItems,
  type ExistingItem,
  findKnowledgeItem,
  listKnowledgeItems,
  lockKnowledge,
} from '../../store/knowledge/knowledge-items.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { type BasedOn, requireVersion } from '../content-version.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { isId, newId } from '../ids.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { getReference, type ReferencesDeps } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import type { FindMember } from '../../store/people/find-member.ts'
import { changeKnowledge, type KnowledgeDeps } from './change-knowledge.ts'
import { checkLongText } from './check-knowledge.ts'

export type Metric = ExistingItem<MetricContent>

export type MetricsDeps = KnowledgeDeps & Pick<ReferencesDeps, 'findReference'> & { findMember: FindMember }

export type GivenMetric = Omit<MetricContent, 'kind'>

/** In the order of their names. */
export async function listMetrics(deps: Pick<KnowledgeDeps, 'db'>, caller: Caller): Promise<Metric[]> {
  const items = await listKnowledgeItems(deps.db, { organizationId: caller.organizationId, kind: 'metric' })
  return items.toSorted((a, b) => a.content.name.localeCompare(b.content.name, 'en'))
}

export async function createMetric(deps: MetricsDeps, caller: Caller, given: GivenMetric): Promise<Metric> {
  requireAdmin(caller)
  const content = await checkMetric(deps, caller, given)
  const { organizationId } = caller
  return deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, organizationId)
    if ((await countKnowledgeItems(tx, { organizationId, kind: 'metric' })) >= knowledgeLimits.metrics) throw tooMany()
    const itemId = newId(deps.random, 'knowledge')
    await refuseTakenName(tx, caller, { itemId, name: content.name })
    return changed(await changeKnowledge({ ...deps, tx }, caller, { kind: 'metric', itemId, subject: itemId, content }))
  })
}

export async function changeMetric(
  deps: MetricsDeps,
  caller: Caller,
  input: { metricId: string; version: number; metric: GivenMetric },
): Promise<Metric> {
  requireAdmin(caller)
  await getMetric(deps.db, caller, input.metricId)
  const content = await checkMetric(deps, caller, input.metric)
  return deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, caller.organizationId)
    await getMetric(tx, caller, input.metricId)
    await refuseTakenName(tx, caller, { itemId: input.metricId, name: content.name })
    const change = { kind: 'metric', subject: input.metricId, content, basedOn: input.version } as const
    return changed(await changeKnowledge({ ...deps, tx }, caller, change))
  })
}

/** Returns the metric as it was. */
export async function deleteMetric(deps: KnowledgeDeps, caller: Caller, metricId: string, basedOn: BasedOn = {}): Promise<Metric> {
  requireAdmin(caller)
  return deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, caller.organizationId)
    const metric = await getMetric(tx, caller, metricId)
    requireVersion('metric', { current: String(metric.version), basedOn })
    await changeKnowledge({ ...deps, tx }, caller, { kind: 'metric', subject: metricId, content: null })
    return metric
  })
}

export async function getMetric(db: Db | Tx, caller: Caller, metricId: string): Promise<Metric> {
  const key = { organizationId: caller.organizationId, kind: 'metric', subject: metricId } as const
  const item = isId(metricId) ? await findKnowledgeItem(db, key) : undefined
  if (item?.content) return changed(item)
  throw new Refusal('knowledge_not_found', `There is no metric ${JSON.stringify(metricId)}. It may have been deleted.`)
}

const changed = (item: KnowledgeItem) => item as Metric

/** Returns the metric as it is stored. */
export async function checkMetric(
  deps: Pick<MetricsDeps, 'db' | 'findReference' | 'findMember'>,
  caller: Caller,
  given: GivenMetric,
): Promise<MetricContent> {
  const { metricNameCharacters, metricUnitCharacters, descriptionCharacters } = knowledgeLimits
  const name = checkText({ path: '/name', text: given.name, maxCharacters: metricNameCharacters })
  const unit = given.unit?.trim() ? checkText({ path: '/unit', text: given.unit, maxCharacters: metricUnitCharacters }) : null
  return {
    kind: 'metric',
    name,
    description: checkLongText({ path: '/description', text: given.description, maxCharacters: descriptionCharacters }),
    unit,
    synonyms: checkSynonyms(given.synonyms, name),
    definition: await checkDefinition(deps, caller, given.definition),
    ownerId: await checkOwner(deps, caller, given.ownerId),
  }
}

function checkSynonyms(given: string[], name: string): string[] {
  if (given.length > knowledgeLimits.synonyms) throw badInput('/synonyms', `must be at most ${knowledgeLimits.synonyms}`)
  const synonyms = new Map([[name.toLowerCase(), name]])
  for (const [index, text] of given.entries()) {
    const synonym = checkText({ path: `/synonyms/${index}`, text, maxCharacters: knowledgeLimits.metricNameCharacters })
    if (!synonyms.has(synonym.toLowerCase())) synonyms.set(synonym.toLowerCase(), synonym)
  }
  return [...synonyms.values()].slice(1)
}

async function checkDefinition(
  deps: Pick<MetricsDeps, 'db' | 'findReference'>,
  caller: Caller,
  definition: MetricDefinition,
): Promise<MetricDefinition> {
  if (definition.kind === 'reference') {
    const { shortId } = await getReference(deps, caller, definition.shortId)
    return { kind: 'reference', shortId }
  }
  const { id: databaseId } = await getDatabaseConfig(deps, caller, definition.databaseId)
  const maxCharacters = knowledgeLimits.metricSqlCharacters
  const sql = checkLongText({ path: '/definition/sql', text: definition.sql, maxCharacters })
  if (sql === '') throw badInput('/definition/sql', 'must not be empty')
  return { kind: 'sql', databaseId, sql }
}

async function checkOwner(deps: Pick<MetricsDeps, 'findMember'>, caller: Caller, ownerId: string | null): Promise<string | null> {
  if (ownerId === null) return null
  const member = isId(ownerId) ? await deps.findMember({ organizationId: caller.organizationId, userId: ownerId }) : undefined
  if (!member) throw badInput('/ownerId', 'must be a member of your organization')
  return ownerId
}

/** `itemId` is null for a metric that does not exist yet. */
export async function refuseTakenName(db: Db | Tx, caller: Caller, metric: { itemId: string | null; name: string }): Promise<void> {
  const others = await listKnowledgeItems(db, { organizationId: caller.organizationId, kind: 'metric' })
  const isSame = ({ id, content }: Metric) => id !== metric.itemId && content.name.toLowerCase() === metric.name.toLowerCase()
  if (!others.some(isSame)) return
  const message = `Your organization already has a metric named ${JSON.stringify(metric.name)}.`
  throw new Refusal('invalid_request', message, [{ path: '/name', message: 'is taken; choose another' }])
}

const tooMany = () =>
  new Refusal('invalid_request', `Your organization has ${knowledgeLimits.metrics} metrics, the maximum. Delete one first.`)
