import type { AutomationContent, BoardContent, MetricContent, Parameter, QueryContent, QuestionSetContent, Tile } from '@querypost/project'
import type { Visualization, VisualizationType } from '@querypost/visualization'
import type { AgentKind } from '../../model/agent-run.ts'
import type { Board, BoardTab, Tile as BoardTile } from '../../model/board.ts'
import type { ParameterDefinition, ParameterType } from '../../model/parameter.ts'
import type { QuestionSetContent as QuestionSetInput } from '../../model/question-set.ts'
import type { Random } from '../../ports/random.ts'
import type { AutomationInput } from '../automations/automations.ts'
import type { ConditionInput } from '../automations/check-automation.ts'
import type { BoardEdit, GivenTile } from '../boards/boards.ts'
import { newId } from '../ids.ts'
import type { GivenMetric } from '../knowledge/metric-definitions.ts'
import { badInput } from '../people/check-text.ts'
import type { ReferenceEdit } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import { keepTileIds } from './keep-tile-ids.ts'

/** What the domain functions take, from what files say. Everything that a file omits gets its default. */
export interface Ids {
  /** By name. */
  databases: ReadonlyMap<string, string>
  /** By e-mail address in lower case. */
  members: ReadonlyMap<string, string>
}

export function queryInput(content: QueryContent, ids: Ids): Required<Omit<ReferenceEdit, 'freshForSeconds'>> & { freshForSeconds: number | null } {
  const { title, description = null, folder = null, freshForSeconds = null, parameters = [], visualization, sql, database } = content
  return {
    title,
    description,
    folderId: folder,
    freshForSeconds,
    parameters: parameters.map(parameterInput),
    visualization: visualization ? chartInput(visualization) : null,
    sql,
    analyticalDatabaseConfigId: databaseId(ids, database, '/database'),
  }
}

function databaseId({ databases }: Ids, name: string, path: string): string {
  const id = databases.get(name)
  if (id !== undefined) return id
  const message = `There is no database named ${JSON.stringify(name)}. Connect one with this name, or name another.`
  throw new Refusal('database_not_found', message, [{ path, message: 'is not a database of your organization' }])
}

const parameterInput = ({ name, type, displayName, defaultValue, description, isList, options }: Parameter): ParameterDefinition => ({
  name,
  displayName: displayName ?? name,
  type: type as ParameterType,
  defaultValue: defaultValue ?? '',
  description: description ?? '',
  ...(isList && { isList }),
  ...(options && { options: optionsInput(options) }),
})

function optionsInput({ query, ...options }: NonNullable<Parameter['options']>) {
  return { ...options, ...(query !== undefined && { referenceShortId: query }) }
}

function chartInput({ type, jsxConfig, marginConfig, ...settings }: NonNullable<QueryContent['visualization']>): Visualization {
  const margins = { top: 0, right: 0, bottom: 0, left: 0, ...(marginConfig as object) }
  return { type: type as VisualizationType, jsxConfig: (jsxConfig as string | undefined) ?? '', marginConfig: margins, ...settings }
}

/** Tiles and tabs that resemble one of the board as it is keep its id. */
export function boardInput(deps: { random: Random }, content: BoardContent, before?: Board): BoardEdit & { title: string } {
  const { title, description = null, folder = null, parameters = [] } = content
  if (content.tabs && content.tiles?.length) throw badInput('/tiles', 'must be in the tabs of a board that has tabs')
  const tabs = (content.tabs ?? []).map((tab, index): BoardTab => ({ id: tabId(deps, tab.title, index, before), title: tab.title }))
  const parts = content.tabs ?? [{ tiles: content.tiles ?? [] }]
  const given = parts.flatMap(({ tiles = [] }, index) => tiles.map((tile) => tileInput(tile, tabs[index]?.id)))
  return { title, description, folderId: folder, parameters: parameters.map(parameterInput), tabs, tiles: keepTileIds(given, before?.tiles ?? []) }
}

function tabId({ random }: { random: Random }, title: string, index: number, before: Board | undefined): string {
  const same = before?.tabs.filter((tab) => tab.title === title) ?? []
  const inPlace = before?.tabs[index]
  if (same.length !== 1 && inPlace?.title === title) return inPlace.id
  return same.length === 1 ? same[0]!.id : newId(random, 'tab')
}

function tileInput(tile: Tile, tab?: string): GivenTile {
  const { title, shows, place, parameters, opens, filters } = tile
  return {
    ...shownBy(tile),
    ...(title !== undefined && { title }),
    ...(shows !== undefined && { shows: shows as NonNullable<BoardTile['shows']> }),
    ...(tab !== undefined && { tabId: tab }),
    ...place,
    ...(parameters && { parameterMapping: parameters }),
    ...(opens && { opens: { boardShortId: opens.board, parameter: opens.parameter, column: opens.column } }),
    ...(filters && { filters }),
  }
}

function shownBy({ query, text, heading, image, alt }: Tile): Pick<GivenTile, 'kind' | 'referenceShortId' | 'text' | 'imageId'> {
  if ([query, text, heading, image].filter((each) => each !== undefined).length !== 1) {
    throw badInput('/tiles', 'must each have exactly one of query, text, heading and image')
  }
  if (query !== undefined) return { kind: 'reference', referenceShortId: query }
  if (image !== undefined) return { kind: 'image', imageId: image, ...(alt !== undefined && { text: alt }) }
  return heading === undefined ? { kind: 'text', text: text! } : { kind: 'heading', text: heading }
}

export function automationInput(content: AutomationContent): Required<AutomationInput> {
  const { name, instructions, agent = 'digest', enabled = true, strict = false, schedule = null, queries = [], condition } = content
  const input = { name, instructions, agent: agent as AgentKind, enabled, strict, schedule, references: queries }
  return { ...input, condition: condition ? conditionInput(condition) : null }
}

function conditionInput({ query, ...condition }: NonNullable<AutomationContent['condition']>): ConditionInput {
  return { reference: query, ...(condition as Omit<ConditionInput, 'reference'>) }
}

export function metricInput(content: MetricContent, ids: Ids): GivenMetric {
  const { name, description = '', unit = null, synonyms = [], owner, query, database, sql } = content
  if ((query === undefined) === (database === undefined || sql === undefined)) {
    throw badInput('/query', 'must be given, or database and sql, but not both')
  }
  const definition: GivenMetric['definition'] =
    query === undefined ? { kind: 'sql', databaseId: databaseId(ids, database!, '/database'), sql: sql! } : { kind: 'reference', shortId: query }
  return { name, description, unit, synonyms, definition, ownerId: owner === undefined ? null : memberId(ids, owner) }
}

function memberId({ members }: Ids, owner: string): string {
  const id = members.get(owner.toLowerCase())
  if (id === undefined) throw badInput('/owner', `must be the e-mail address of a member of your organization, which ${owner} is not`)
  return id
}

export const questionSetInput = ({ name, schedule, questions = [] }: QuestionSetContent, ids: Ids): QuestionSetInput => ({
  name,
  schedule: schedule ?? null,
  questions: questions.map(({ question, database, isOrdered = false, tolerance = 0, expectedSql = null, expectedRows = null }, index) => ({
    text: question,
    databaseId: databaseId(ids, database, `/questions/${index}/database`),
    expectedSql,
    expectedRows,
    isOrdered,
    tolerance,
  })),
})
