import { Type } from 'typebox'
import type { ParameterValues } from '../../../../model/parameter.ts'
import { getReference } from '../../../references/references.ts'
import { runReferenceToEnd } from '../../query-runs.ts'
import { bounds } from '../model-limits.ts'
import { defineTool, type ModelTool } from './model-tool.ts'
import { withQueryStep } from './query-step.ts'
import { addFailedStep, asToolFailure } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

const name = 'read_reference'

export function readReference(world: ToolWorld): ModelTool {
  const { caller, notBefore, signal } = world
  return defineTool({
    name,
    description:
      'Runs the query of a saved reference and shows its result: ' +
      `at most ${bounds.rows} rows or ${bounds.toolResultCharacters / 1024} KB of it.`,
    input: Type.Object(
      {
        shortId: Type.String({ description: 'The identifier of the reference' }),
        parameterValues: Type.Optional(
          Type.Unsafe<ParameterValues>({
            type: 'object',
            additionalProperties: { type: ['string', 'number', 'boolean', 'array'], items: { type: ['string', 'number', 'boolean'] } },
            description:
              'By name; omitted parameters use their defaults. A list takes an array, a dateRange text such as "last 30 days" or "2026-01-01..2026-03-31"',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    async call({ shortId, parameterValues = {} }) {
      const { title, currentQuery, visualization } = await getReference(world, caller, shortId).catch(async (error: unknown) => {
        const failure = asToolFailure(error)
        const step = { tool: name, connector: null, input: { shortId, parameterValues } }
        await addFailedStep(world.chat, step, failure.message)
        throw failure
      })
      const begin = {
        reference: { shortId, title },
        sql: currentQuery.sql,
        parameterValues,
        ...(visualization?.columns && { columns: visualization.columns }),
      }
      return withQueryStep(world, begin, (onStarted) =>
        runReferenceToEnd(world, caller, { shortId, parameterValues, notBefore, signal, onStarted }),
      )
    },
  })
}
