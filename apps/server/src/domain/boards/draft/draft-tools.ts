import { type VisualizationType, visualizationTypes } from '@querypost/visualization'
import { Type } from 'typebox'
import { boardLimits, type BoardContent } from '../../../model/board.ts'
import { descriptionMaxLength, titleMaxLength } from '../../../model/reference.ts'
import { readTileQueries } from '../../../store/boards/read-tile-queries.ts'
import { defineTool, type ModelTool, ToolFailure } from '../../agents/model/tools/model-tool.ts'
import { asToolFailure } from '../../agents/model/tools/tool-step.ts'
import type { ToolWorld } from '../../agents/model/tools/tool-world.ts'
import { newId, shortIdPattern } from '../../ids.ts'
import { sqlMaxLength, storeQuery } from '../../queries/queries.ts'
import { createReference } from '../../references/references.ts'
import { faultsOfBoard } from '../check-board.ts'
import { layOut, type UnplacedTile } from './lay-out.ts'
import { shareParameters } from './share-parameters.ts'

const closed = { additionalProperties: false }
const margin = { top: 16, right: 16, bottom: 16, left: 16 }

/** Saves a query for a tile, with its chart. */
export function saveTileQuery(world: ToolWorld, onSaved: (title: string) => void): ModelTool {
  return defineTool({
    name: 'save_query',
    description:
      'Saves SQL as a query with a chart, to be shown by a tile, and returns its short id. Run the SQL with run_sql first. ' +
      'The jsxConfig is one chart element whose props are literals, for example <BarChart><XAxis dataKey="month" /><YAxis />' +
      '<Tooltip /><Bar dataKey="revenue" /></BarChart>. For the types table and number it is empty.',
    input: Type.Object(
      {
        databaseId: Type.String({ description: 'As returned by list_tables' }),
        sql: Type.String({ minLength: 1, maxLength: sqlMaxLength }),
        title: Type.String({ minLength: 1, maxLength: titleMaxLength }),
        description: Type.Optional(Type.String({ maxLength: descriptionMaxLength })),
        visualization: Type.Object(
          { type: Type.Unsafe<VisualizationType>({ type: 'string', enum: [...visualizationTypes] }), jsxConfig: Type.String() },
          closed,
        ),
      },
      closed,
    ),
    async call({ databaseId, sql, title, description = null, visualization }) {
      const { caller } = world
      try {
        const query = await storeQuery(world, caller, { sql, analyticalDatabaseConfigId: databaseId, isSaved: true })
        const content = { title, description, visualization: { ...visualization, marginConfig: margin } }
        const { shortId } = await createReference(world, caller, { queryId: query.id, ...content })
        onSaved(title)
        return `Saved. Its short id is ${shortId}.`
      } catch (error) {
        throw asToolFailure(error)
      }
    },
  })
}

const side = (most: number) => Type.Integer({ minimum: 1, maximum: most })

/** Takes the model's proposal, and checks it as a person's input is checked. */
export function proposeBoard(world: Pick<ToolWorld, 'db' | 'random' | 'caller'>, onProposed: (board: BoardContent) => void): ModelTool {
  return defineTool({
    name: 'propose_board',
    description:
      'Proposes the board and ends your work. Tiles are placed in their order, from left to right on 12 columns. ' +
      'A tile shows a saved query by its short id, or is a heading or a short text in Markdown. ' +
      'Usual sizes: a number 3 × 2, a chart 6 × 4, a table 12 × 5, a heading 12 × 1.',
    input: Type.Object(
      {
        title: Type.String({ minLength: 1, maxLength: boardLimits.titleCharacters }),
        description: Type.Optional(Type.String({ maxLength: boardLimits.descriptionCharacters })),
        tiles: Type.Array(
          Type.Object(
            {
              kind: Type.Unsafe<'reference' | 'text' | 'heading'>({ type: 'string', enum: ['reference', 'text', 'heading'] }),
              referenceShortId: Type.Optional(Type.String()),
              text: Type.Optional(Type.String({ maxLength: 2_000 })),
              title: Type.Optional(Type.String({ maxLength: boardLimits.titleCharacters })),
              width: side(boardLimits.columns),
              height: side(12),
            },
            closed,
          ),
          { minItems: 1, maxItems: 30 },
        ),
      },
      closed,
    ),
    async call({ title, description, tiles }) {
      const { caller } = world
      const shortIds = tiles.flatMap(({ referenceShortId }) => referenceShortId ?? []).filter((id) => shortIdPattern.test(id))
      const references = await readTileQueries(world.db, { organizationId: caller.organizationId, shortIds })
      const unplaced = tiles.map((tile): UnplacedTile => ({ ...tile, id: newId(world.random, 'tile') }))
      const shared = shareParameters(unplaced, references)
      const board: BoardContent = {
        title: title.trim(),
        description: description?.trim() || null,
        parameters: shared.parameters,
        tabs: [],
        tiles: layOut(shared.tiles),
      }
      const known = { referenceShortIds: new Set(references.keys()), imageIds: new Set<string>(), boardShortIds: new Set<string>() }
      const faults = faultsOfBoard(board, known)
      if (faults.length > 0) throw new ToolFailure(faults.map(({ path, message }) => `${path} ${message}.`).join('\n'))
      onProposed(board)
      return 'Thank you.'
    },
  })
}
