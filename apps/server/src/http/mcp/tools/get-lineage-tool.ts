import { Type } from 'typebox'
import { getReferenceLineage } from '../../../domain/lineage/reference-lineage.ts'
import { ReferenceLineage } from '../../schemas/lineage-schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { shown } from '../mcp-texts.ts'
import { closed, ShortId } from '../shapes.ts'
import { defineTool, reads } from '../tool.ts'

export const getLineage = defineTool({
  name: 'get_lineage',
  scope: 'read:queries',
  title: 'Get the lineage of a saved query',
  description:
    'Returns the tables, columns and saved queries that a reference reads, and the saved queries, boards and automations that use it. ' +
    `At most ${bounds.tables} of each.`,
  hints: reads,
  input: Type.Object({ shortId: ShortId }, closed),
  output: ReferenceLineage,
  async call({ services, caller }, { shortId }) {
    const { tables, references, isComplete, usedBy } = await getReferenceLineage(services, caller, shortId)
    return {
      tables: first(tables).map(({ analyticalDatabaseConfigId, schema, name, columns, readsAllColumns }) => ({
        analyticalDatabaseConfigId,
        schema,
        name,
        columns: columns.slice(0, bounds.listedColumns),
        readsAllColumns,
      })),
      references: titled(references),
      isComplete,
      usedBy: {
        references: titled(usedBy.references),
        boards: titled(usedBy.boards),
        automations: first(usedBy.automations).map(({ id, name }) => ({ id, name: shown(name, bounds.listedText) })),
      },
    }
  },
})

const first = <Item>(items: Item[]): Item[] => items.slice(0, bounds.tables)

const titled = (items: { shortId: string; title: string }[]) =>
  first(items).map(({ shortId, title }) => ({ shortId, title: shown(title, bounds.listedText) }))
