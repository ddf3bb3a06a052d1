import { Type } from 'typebox'
import { sqlMaxLength, storeQuery } from '../../../queries/queries.ts'
import { descriptionMaxLength, titleMaxLength } from '../../../../model/reference.ts'
import { createReference } from '../../../references/references.ts'
import { defineTool, type ModelTool } from './model-tool.ts'
import { addFailedStep, asToolFailure } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

const name = 'save_query'

/** Stores a query and a reference to it, which people find among their own. */
export function saveQuery(world: ToolWorld): ModelTool {
  return defineTool({
    name,
    description: 'Saves SQL under a title, with a permalink. Only for queries that people will want to open again.',
    input: Type.Object(
      {
        databaseId: Type.String({ description: 'As returned by list_tables' }),
        sql: Type.String({ minLength: 1, maxLength: sqlMaxLength }),
        title: Type.String({ minLength: 1, maxLength: titleMaxLength }),
        description: Type.Optional(Type.String({ maxLength: descriptionMaxLength })),
      },
      { additionalProperties: false },
    ),
    async call(input) {
      const { caller, chat } = world
      try {
        const stored = { sql: input.sql, analyticalDatabaseConfigId: input.databaseId, isSaved: true }
        const query = await storeQuery(world, caller, stored)
        const { title, description = null } = input
        const { shortId } = await createReference(world, caller, { queryId: query.id, title, description })
        await chat.add({ kind: 'reference', shortId, title })
        return `Saved as reference ${shortId}: ${world.baseUrl}/q/${shortId}`
      } catch (error) {
        const failure = asToolFailure(error)
        await addFailedStep(chat, { tool: name, connector: null, input }, failure.message)
        throw failure
      }
    },
  })
}
