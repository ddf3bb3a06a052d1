import { type TSchema, Type } from 'typebox'
import { pageSizeDefault, pageSizeMaximum } from '../domain/pagination/page.ts'
import { parameterTypes } from '../domain/parameters/parameter.ts'
import { visualizationTypes } from '../domain/references/visualization.ts'

/**
 * The shapes of the published interface. Each validates requests, serialises answers (a field that is not named here never
 * leaves) and becomes part of the OpenAPI document.
 */
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })
export const NullableTimestamp = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })
export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
export const oneOf = <Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values] })
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Unknown fields are refused everywhere: a misspelt name must not pass in silence. */
export const closed = { additionalProperties: false } as const

/** Stricter than the format, which also takes `urn:uuid:` in front. */
export const uuidPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
export const Uuid = Type.String({ format: 'uuid', pattern: uuidPattern })
export const RunStatus = oneOf(['pending', 'running', 'completed', 'failed'])

export const PageQuery = Type.Object(
  {
    limit: Type.Integer({
      minimum: 1,
      maximum: pageSizeMaximum,
      default: pageSizeDefault,
      description: 'How many items a page has at most',
    }),
    cursor: Type.Optional(Type.String({ minLength: 1, description: 'The previous page’s nextCursor' })),
  },
  closed,
)

export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    nextCursor: Type.Optional(Type.String({ description: 'Opaque; absent on the last page' })),
  })

const referenceFields = {
  id: Type.String(),
  shortId: Type.String({ description: 'Names the permalink; never changes' }),
  title: Type.String(),
  description: NullableText,
  isOptimistic: Type.Boolean({ description: 'True while the query it points to does not exist yet' }),
  createdBy: Type.String({ description: 'User ID' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  currentQuery: Type.Object({ id: Uuid, sql: Type.String() }),
}

export const Reference = Type.Object(referenceFields)

export const ParameterDefinition = Type.Object(
  {
    name: Type.String(),
    displayName: Type.String(),
    type: oneOf(parameterTypes),
    defaultValue: Type.String(),
    description: Type.String(),
  },
  closed,
)

export const Visualization = Type.Object(
  {
    type: oneOf(visualizationTypes),
    jsxConfig: Type.String(),
    marginConfig: Type.Object(
      { top: Type.Number(), right: Type.Number(), bottom: Type.Number(), left: Type.Number() },
      closed,
    ),
  },
  closed,
)

export const ReferenceInFull = Type.Object({
  ...referenceFields,
  visualization: Type.Optional(Visualization),
  parameters: Type.Array(ParameterDefinition),
})

export const DeletedReference = Type.Object({
  id: Type.String(),
  shortId: Type.String(),
  title: Type.String(),
  description: NullableText,
  queryId: Uuid,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Timestamp,
})

const queryFields = {
  id: Uuid,
  sql: Type.String(),
  analyticalDatabaseConfigId: Type.String(),
  createdBy: Type.String({ description: 'User ID' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const ListedQuery = Type.Object({
  ...queryFields,
  latestRun: nullable(Type.Object({ id: Type.String(), status: RunStatus, runAt: Timestamp })),
})

export const Query = Type.Object({
  ...queryFields,
  latestRun: nullable(
    Type.Object({ id: Type.String(), status: RunStatus, runAt: Timestamp, completedAt: NullableTimestamp }),
  ),
  latestRunMetadata: nullable(
    Type.Object({
      status: RunStatus,
      rowsRead: NullableInteger,
      rowsWritten: NullableInteger,
      bytesRead: NullableInteger,
      rowCount: NullableInteger,
      durationMs: NullableInteger,
      failureReason: NullableText,
    }),
  ),
})

export const Run = Type.Object({
  id: Type.String(),
  queryId: Uuid,
  status: RunStatus,
  runAt: Timestamp,
  triggerId: Type.String({ description: 'What caused it: key_…, user_… or an automation run' }),
  parameterValues: Type.Record(Type.String(), Type.Unsafe<string | number | boolean>({})),
  renderedSql: Type.String({ description: 'The exact SQL, parameters substituted' }),
})

export const QueryResult = Type.Object({
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      type: oneOf(['integer', 'number', 'decimal', 'string', 'boolean', 'date', 'timestamp', 'json']),
    }),
  ),
  rows: Type.Array(Type.Array(Type.Unsafe<unknown>({}))),
  rowCount: Type.Integer(),
})

export const NotModified = Type.Null({ description: 'The caller’s copy, named by If-None-Match, is still the result' })

export const ErrorAnswer = Type.Object({
  type: oneOf(['invalid_request', 'api_error']),
  code: Type.String(),
  message: Type.String(),
  documentation_url: Type.String(),
  details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
})

/** The answers of a published route: its success, and the statuses with which it may refuse. Any request may be malformed. */
export function answers<Status extends number, Schema>(status: Status, schema: Schema, refusals: number[]) {
  const errors = Object.fromEntries([400, 401, ...refusals, 500].map((refusal) => [refusal, ErrorAnswer]))
  return { ...errors, [status]: schema } as Record<Status, Schema>
}
