import { Type } from 'typebox'
import { described, NullableText, nullable } from '../schemas.ts'

const LinkedReference = Type.Object({ shortId: Type.String(), title: Type.String() }, { title: 'LinkedReference', description: 'A saved query, for a link.' })

const itemUsers = {
  boards: Type.Array(Type.Object({ shortId: Type.String(), title: Type.String() }, { title: 'LinkedBoard', description: 'A board, for a link.' }), {
    description: 'Boards with a tile that shows it.',
  }),
  automations: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, { title: 'LinkedAutomation', description: 'An automation, for a link.' }), {
    description: 'Automations that look at it or watch it.',
  }),
}

const LineageTable = Type.Object(
  {
    analyticalDatabaseConfigId: Type.String(),
    schema: described(NullableText, 'Null if the SQL names none and the table is not known.'),
    name: Type.String(),
    columns: Type.Array(Type.String(), { description: 'The columns it reads, as far as the SQL and the known columns of the table tell.' }),
    readsAllColumns: Type.Boolean({ description: 'Whether it reads all columns with `*`.' }),
  },
  { title: 'LineageTable', description: 'A table that a saved query reads.' },
)

export const ReferenceLineage = Type.Object(
  {
    tables: Type.Array(LineageTable),
    references: Type.Array(LinkedReference, { description: 'The saved queries that it reads with `ref(…)`.' }),
    isComplete: Type.Boolean({ description: 'False if the SQL may read more than is listed, for example with a table function.' }),
    usedBy: Type.Object({
      references: Type.Array(LinkedReference, { description: 'The saved queries that read it with `ref(…)`.' }),
      ...itemUsers,
    }),
  },
  { title: 'ReferenceLineage', description: 'What a saved query reads, and what uses it.' },
)

export const ItemLineage = Type.Object(
  {
    references: Type.Array(
      Type.Object(
        {
          ...LinkedReference.properties,
          through: described(nullable(LinkedReference), 'The saved query that reads it with `ref(…)`; null if the board or automation uses it itself.'),
        },
        { title: 'ReadReference', description: 'A saved query that a board or an automation reads.' },
      ),
    ),
    tables: Type.Array(LineageTable, { description: 'The tables that any of these saved queries reads.' }),
    isComplete: Type.Boolean({ description: 'False if the SQL may read more than is listed, for example with a table function.' }),
  },
  { title: 'ItemLineage', description: 'What a board or an automation reads, directly and through saved queries.' },
)

export const TableUsers = Type.Object(
  {
    references: Type.Array(
      Type.Object(
        {
          ...LinkedReference.properties,
          isCertain: Type.Boolean({ description: 'False if the SQL does not tell whether it reads the column.' }),
          through: described(nullable(LinkedReference), 'The saved query through which it reads the table; null if it reads it itself.'),
        },
        { title: 'TableReader', description: 'A saved query that reads a table.' },
      ),
    ),
    ...itemUsers,
  },
  { title: 'TableUsers', description: 'What uses a table or a column, directly and through saved queries.' },
)

export const TableQuery = Type.Object(
  {
    schema: Type.String({ maxLength: 200, description: 'The schema of the table.', examples: ['main'] }),
    table: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the table.', examples: ['orders'] }),
    column: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only what uses this column.', examples: ['total'] })),
  },
  { additionalProperties: false },
)
