import { type Static, Type } from 'typebox'
import { parameterTypes } from '../../../model/parameter.ts'
import type { Caller } from '../../../model/caller.ts'
import { getStoredQuery } from '../../../domain/queries/queries.ts'
import { getReference as findReference } from '../../../domain/references/references.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { readResultFields } from '../../../domain/results/result-rows.ts'
import { cachedResultOf } from '../../../domain/results/results.ts'
import type { Run } from '../../../model/run.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { oneOf } from '../../schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { LatestRun, presentLatestRun, shownValues } from '../present-run.ts'
import { closed, integer, nullable, nullableInteger, nullableText, ShortId, ShownValues, text } from '../shapes.ts'
import { shown, shownOrNull } from '../mcp-texts.ts'
import { defineTool, reads } from '../tool.ts'

const ReferenceAnswer = Type.Object({
  shortId: text,
  title: text,
  description: nullableText,
  isOptimistic: Type.Boolean(),
  createdBy: text,
  createdAt: text,
  updatedAt: text,
  queryId: text,
  sql: text,
  analyticalDatabaseConfigId: nullableText,
  parameters: Type.Array(
    Type.Object({
      name: text,
      displayName: text,
      type: oneOf(parameterTypes),
      defaultValue: text,
      description: text,
      isList: Type.Optional(Type.Boolean()),
      options: Type.Optional(Type.Array(text, { description: `Values to choose from, at most ${bounds.listedOptions}` })),
    }),
  ),
  visualizationType: nullableText,
  latestRun: nullable(LatestRun),
  latestResult: nullable(
    Type.Object(
      {
        runId: text,
        completedAt: text,
        expiresAt: text,
        rowCount: nullableInteger,
        parameterValues: ShownValues,
        columnCount: integer,
        columns: Type.Array(Type.Object({ name: text, type: text })),
      },
      { description: 'The result for read_result; null if there is none or it has expired' },
    ),
  ),
  url: text,
})

export const getReference = defineTool({
  name: 'get_reference',
  scope: 'read:queries',
  title: 'Get a saved query',
  description:
    'Returns a reference with its SQL, parameters, latest run, and a description of its cached result: columns, age and ' +
    'parameter values. Call this before run_reference or read_result.',
  hints: reads,
  input: Type.Object({ shortId: ShortId }, closed),
  output: ReferenceAnswer,
  call: ({ services, caller }, { shortId }) => readReference(services, caller, shortId),
})

export async function readReference(
  services: AgentServices,
  caller: Caller,
  shortId: string,
): Promise<Static<typeof ReferenceAnswer>> {
  const reference = await findReference(services, caller, shortId)
  // An optimistic reference points to a query that does not exist yet.
  const query = reference.isOptimistic ? null : await getStoredQuery(services, caller, reference.currentQuery.id)
  return {
    shortId,
    title: shown(reference.title, bounds.listedText),
    description: shownOrNull(reference.description, bounds.description),
    isOptimistic: reference.isOptimistic,
    createdBy: reference.createdBy,
    createdAt: reference.createdAt.toISOString(),
    updatedAt: reference.updatedAt.toISOString(),
    queryId: reference.currentQuery.id,
    sql: shown(reference.currentQuery.sql, bounds.sql),
    analyticalDatabaseConfigId: query?.analyticalDatabaseConfigId ?? null,
    parameters: reference.parameters.map(({ name, displayName, type, defaultValue, description, isList, options }) => ({
      name,
      displayName: shown(displayName, bounds.listedText),
      type,
      defaultValue: shown(defaultValue, bounds.parameterValue),
      description: shown(description, bounds.listedText),
      ...(isList && { isList }),
      ...(options?.values && {
        options: options.values.slice(0, bounds.listedOptions).map(({ value }) => shown(value, bounds.listedText)),
      }),
    })),
    visualizationType: reference.visualization?.type ?? null,
    latestRun: presentLatestRun(query?.latestRun ?? null),
    latestResult: query?.latestCompletedRun ? await describeResult(services, query.latestCompletedRun) : null,
    url: linksAt(services).reference(shortId),
  }
}

async function describeResult(services: AgentServices, run: Run) {
  try {
    const { expiresAt } = cachedResultOf(services, run)
    const fields = await readResultFields(services, run)
    return {
      runId: run.id,
      completedAt: run.completedAt!.toISOString(),
      expiresAt: expiresAt.toISOString(),
      rowCount: run.rowCount,
      parameterValues: shownValues(run.parameterValues),
      columnCount: fields.length,
      columns: fields
        .slice(0, bounds.listedColumns)
        .map(({ name, type }) => ({ name: shown(name, bounds.listedText), type })),
    }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
