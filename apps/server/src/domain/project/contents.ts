import type { AutomationContent, BoardContent, MetricContent, Parameter, QueryContent, QuestionSetContent, Tile } from '@querypost/project'
import type { AutomationInFull, Condition } from '../../model/automation.ts'
import type { Board, Tile as BoardTile } from '../../model/board.ts'
import type { MetricContent as StoredMetric } from '../../model/knowledge.ts'
import type { ParameterDefinition } from '../../model/parameter.ts'
import type { QuestionSet } from '../../model/question-set.ts'
import type { SavedQueryRow } from '../../store/project/read-saved-queries.ts'

/** What a file says about each kind of item. Links are ids. */
export interface Names {
  /** By id. */
  databases: ReadonlyMap<string, string>
  /** E-mail addresses of members, by id. */
  members: ReadonlyMap<string, string>
}

const optional = <Name extends string, Value>(name: Name, value: Value | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }

export const queryContent = (query: SavedQueryRow): QueryContent => ({
  title: query.title,
  ...optional('description', query.description),
  ...optional('folder', query.folderId),
  database: query.databaseName,
  ...optional('freshForSeconds', query.freshForSeconds),
  parameters: query.parameters.map(parameterContent),
  ...optional('visualization', query.visualization && { ...query.visualization }),
  sql: query.sql,
})

function parameterContent({ options, ...parameter }: ParameterDefinition): Parameter {
  if (!options) return parameter
  const { referenceShortId, ...rest } = options
  return { ...parameter, options: { ...rest, ...optional('query', referenceShortId) } }
}

export function boardContent({ title, description, folderId, parameters, tabs, tiles }: Board): BoardContent {
  const start = { title, ...optional('description', description), ...optional('folder', folderId), parameters: parameters.map(parameterContent) }
  if (tabs.length === 0) return { ...start, tiles: tiles.map(tileContent) }
  const tabIds = new Set(tabs.map(({ id }) => id))
  const tabOf = ({ tabId }: BoardTile) => (tabId !== undefined && tabIds.has(tabId) ? tabId : tabs[0]!.id)
  return { ...start, tabs: tabs.map((tab) => ({ title: tab.title, tiles: tiles.filter((tile) => tabOf(tile) === tab.id).map(tileContent) })) }
}

export function tileContent(tile: BoardTile): Tile {
  const { kind, referenceShortId, text = '', title, shows, imageId = '', x, y, width, height, parameterMapping, opens, filters } = tile
  const shown = {
    reference: { query: referenceShortId ?? '' },
    text: { text },
    heading: { heading: text },
    image: { image: imageId, alt: text },
  }[kind]
  return {
    ...shown,
    ...optional('title', title),
    ...optional('shows', shows),
    place: { x, y, width, height },
    ...optional('parameters', parameterMapping),
    ...optional('opens', opens && { board: opens.boardShortId, parameter: opens.parameter, column: opens.column }),
    ...optional('filters', filters),
  }
}

export const automationContent = (automation: AutomationInFull): AutomationContent => ({
  name: automation.name,
  agent: automation.agent,
  enabled: automation.enabled,
  strict: automation.strict,
  ...optional('schedule', automation.schedule),
  queries: automation.references,
  ...optional('condition', automation.condition && conditionContent(automation.condition)),
  instructions: automation.instructions,
})

function conditionContent({ reference, ...condition }: Condition) {
  return { query: reference, ...condition }
}

export const metricContent = ({ definition, ownerId, ...metric }: StoredMetric, { databases, members }: Names): MetricContent => ({
  name: metric.name,
  ...optional('unit', metric.unit),
  synonyms: metric.synonyms,
  ...optional('owner', ownerId === null ? null : members.get(ownerId)),
  description: metric.description,
  ...(definition.kind === 'reference'
    ? { query: definition.shortId }
    : { database: databases.get(definition.databaseId) ?? definition.databaseId, sql: definition.sql }),
})

export const questionSetContent = ({ name, schedule, questions }: QuestionSet, { databases }: Names): QuestionSetContent => ({
  name,
  ...optional('schedule', schedule),
  questions: questions.map(({ text, databaseId, expectedSql, expectedRows, isOrdered, tolerance }) => ({
    question: text,
    database: databases.get(databaseId) ?? databaseId,
    isOrdered,
    tolerance,
    ...optional('expectedSql', expectedSql),
    ...optional('expectedRows', expectedRows),
  })),
})
