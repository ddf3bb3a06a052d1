import { visualizationTypes } from '@querypost/visualization'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { pageSizeDefault, pageSizeMaximum } from '../model/page.ts'
import { parameterTypes } from '../model/parameter.ts'

/**
 * The shapes of the published interface, and what all schemas are built from. Each validates requests and serializes answers: a field
 * that is not named never leaves. Those of `/api` become the OpenAPI document; those of `/app/api`, which are in `schemas/` by their noun,
 * become the types of the pages (`apps/web/src/api/generated`), by their `title`.
 */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC',
  examples: ['2026-01-05T09:00:00.000Z'],
})
export const NullableTimestamp = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })
export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] })
export const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
export const oneOf = <Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values] })
/** A list of values that the pages know by name: the title becomes a type, and a constant with the values. */
export const namedEnum = <Value extends string>(title: string, values: readonly Value[], description?: string) =>
  Type.Unsafe<Value>({ title, type: 'string', enum: [...values], ...(description !== undefined && { description }) })
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/**
 * An object or null. Unlike a union it is serialized without being validated first, and tells of a fault within once instead of once for
 * each of the two.
 */
export const orNull = <Schema extends TObject>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: ['object', 'null'] })

/** Unknown fields are refused everywhere: a misspelt name must not pass in silence. */
export const closed = { additionalProperties: false } as const

/** With a word about what it means here. */
export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({ ...schema, description })

/** Stricter than the format, which also takes `urn:uuid:` in front. */
export const uuidPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
export const Uuid = Type.String({
  format: 'uuid',
  pattern: uuidPattern,
  examples: ['0196a1c2-7f3e-7b1a-9c55-3f0d2b8e4a11'],
})
export const RunStatus = Type.Unsafe<'pending' | 'running' | 'completed' | 'failed'>({
  title: 'RunStatus',
  type: 'string',
  enum: ['pending', 'running', 'completed', 'failed'],
  description: '`pending`, then `running`, then `completed` or `failed`. What has completed or failed stays so.',
})

export const PageQuery = Type.Object(
  {
    limit: Type.Integer({
      minimum: 1,
      maximum: pageSizeMaximum,
      default: pageSizeDefault,
      description: 'How many items a page has at most.',
      examples: [50],
    }),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The previous page’s `nextCursor`, unchanged. Valid for 24 hours; leave it out for the first page.',
        examples: ['eyJsaXN0IjoicXVlcmllcyJ9.x2Vn'],
      }),
    ),
  },
  closed,
)

/** What every list that comes in pages answers. */
export const listPage = <Item extends TSchema>(item: Item) => Type.Object(pageFields(item))

const pageFields = <Item extends TSchema>(item: Item) => ({
  items: Type.Array(item),
  nextCursor: Type.Optional(
    Type.String({ description: 'Send it as `cursor` to get the next page. Opaque; absent on the last page.' }),
  ),
})

/** A list that comes as a whole. */
export const wholeList = <Item extends TSchema>(item: Item) => Type.Object({ items: Type.Array(item) })

export const pageOf = <Item extends TSchema>(title: string, item: Item) =>
  Type.Object(pageFields(item), {
    title,
    description: 'One page of a list, which shows all of it as it was when the first page was asked for.',
  })

const ShortId = Type.String({
  description: 'Names the permalink, `/q/<shortId>`. Never changes.',
  examples: ['k7m2p9qxwd'],
})
const UserId = Type.String({ description: 'The id of the user who made it.', examples: ['user_2n4k8mq7'] })

const referenceFields = {
  id: Type.String({ examples: ['ref_5f8s2k1c'] }),
  shortId: ShortId,
  title: Type.String({ description: '`Untitled query` until somebody gives it another.', examples: ['Revenue by month'] }),
  description: described(NullableText, 'Null when it has none.'),
  isOptimistic: Type.Boolean({ description: 'True while the query it points to does not exist yet.' }),
  createdBy: UserId,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  currentQuery: Type.Object(
    { id: Uuid, sql: Type.String({ description: 'Empty while the query does not exist yet.' }) },
    { description: 'The query it points to. Changed SQL is a new query, and the reference moves to it.' },
  ),
}

export const Reference = Type.Object(referenceFields, {
  title: 'Reference',
  description: 'A bookmark that points to a query and has a permalink. Several may point to the same query.',
})

export const ParameterDefinition = Type.Object(
  {
    name: Type.String({ description: 'SQL refers to it as `{{name}}`.', examples: ['region'] }),
    displayName: Type.String({ examples: ['Region'] }),
    type: oneOf(parameterTypes),
    defaultValue: Type.String({ description: 'Text that fits the type; empty means none, except for `text`.' }),
    description: Type.String(),
  },
  { title: 'ParameterDefinition', description: 'What a placeholder of the SQL may be given.', ...closed },
)

export const Visualization = Type.Object(
  {
    type: oneOf(visualizationTypes),
    jsxConfig: Type.String({
      description: 'The chart, as declarative JSX. It is data: read and checked, never evaluated.',
      examples: ['<BarChart><XAxis dataKey="month" /><Bar dataKey="revenue" /></BarChart>'],
    }),
    marginConfig: Type.Object(
      { top: Type.Number(), right: Type.Number(), bottom: Type.Number(), left: Type.Number() },
      { description: 'The room around the chart, in pixels.', ...closed },
    ),
  },
  { title: 'Visualization', description: 'How the result is drawn.', ...closed },
)

export const ReferenceInFull = Type.Object(
  {
    ...referenceFields,
    visualization: Type.Optional(Visualization),
    parameters: Type.Array(ParameterDefinition),
  },
  { title: 'ReferenceInFull', description: 'A reference with its visualization, where it has one, and its parameters.' },
)

export const DeletedReference = Type.Object(
  {
    id: Type.String(),
    shortId: described(ShortId, 'Its permalink answers 404 from now on.'),
    title: Type.String(),
    description: NullableText,
    queryId: described(Uuid, 'The query it pointed to, which is kept.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Timestamp,
  },
  { title: 'DeletedReference', description: 'What was deleted.' },
)

const queryFields = {
  id: Uuid,
  sql: Type.String({
    description: 'Never changes.',
    examples: ['select month, sum(amount) as revenue from orders group by month'],
  }),
  analyticalDatabaseConfigId: Type.String({ description: 'The analytical database it runs against.', examples: ['db_8s2k'] }),
  createdBy: UserId,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const LatestRun = Type.Object(
  {
    id: Type.String(),
    status: RunStatus,
    runAt: described(Timestamp, 'When the run was asked for.'),
    completedAt: described(NullableTimestamp, 'When it completed or failed; null until then.'),
  },
  { title: 'LatestRun', description: 'The query’s latest run.' },
)

const RunMetadata = Type.Object(
  {
    status: RunStatus,
    rowsRead: NullableInteger,
    rowsWritten: NullableInteger,
    bytesRead: NullableInteger,
    rowCount: described(NullableInteger, 'How many rows the result has.'),
    durationMs: NullableInteger,
    failureReason: described(NullableText, 'Why it failed, for people; null unless it did.'),
  },
  {
    title: 'RunMetadata',
    description: 'Figures of the latest run. Null until they are known, and where the engine does not tell them.',
  },
)

export const ListedQuery = Type.Object(
  {
    ...queryFields,
    latestRun: nullable(
      Type.Object(
        { id: Type.String(), status: RunStatus, runAt: Timestamp },
        { title: 'ListedRun', description: 'The latest run, as it was at the first page. Null before the first run.' },
      ),
    ),
  },
  { title: 'ListedQuery', description: 'A stored query, as lists show it.' },
)

export const Query = Type.Object(
  { ...queryFields, latestRun: nullable(LatestRun), latestRunMetadata: nullable(RunMetadata) },
  {
    title: 'Query',
    description: 'A stored query. `latestRun` and `latestRunMetadata` are null before its first run.',
  },
)

export const Run = Type.Object(
  {
    id: Type.String({ examples: ['run_9x1c4v7b'] }),
    queryId: Uuid,
    status: RunStatus,
    runAt: Timestamp,
    triggerId: Type.String({ description: 'What caused it: `key_…`, `user_…` or an automation’s run.', examples: ['key_3h5j'] }),
    parameterValues: Type.Record(Type.String(), Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }), {
      description: 'The value of every placeholder, by its name.',
    }),
    renderedSql: Type.String({ description: 'The exact SQL that is executed, its parameters put in.' }),
  },
  { title: 'Run', description: 'One execution of a query.' },
)

export const fieldTypes = ['integer', 'number', 'decimal', 'string', 'boolean', 'date', 'timestamp', 'json'] as const

export const QueryResult = Type.Object(
  {
    fields: Type.Array(
      Type.Object(
        { name: Type.String(), type: oneOf(fieldTypes) },
        {
          title: 'ResultField',
          description:
            'A column. Integers beyond ±(2^53-1) and all decimals are JSON strings, exact; timestamps ISO 8601 in UTC, dates `YYYY-MM-DD`, bytes base64.',
        },
      ),
    ),
    rows: Type.Array(Type.Array(Type.Unsafe<unknown>({})), { description: 'One value a field, in the order of the fields.' }),
    rowCount: Type.Integer(),
  },
  { title: 'QueryResult', description: 'The cached result of the query’s latest successful run.' },
)

export const NotModified = Type.Null({ description: 'The caller’s copy, named by If-None-Match, is still the result.' })

export const ErrorAnswer = Type.Object(
  {
    type: Type.Unsafe<'invalid_request' | 'api_error'>({
      type: 'string',
      enum: ['invalid_request', 'api_error'],
      description: 'Whose fault it is: `invalid_request` the caller’s (4xx), `api_error` the service’s (5xx).',
    }),
    code: Type.String({
      title: 'ErrorCode',
      description: 'Stable, for programs. There may be more of them one day: treat one that you do not know by its status.',
    }),
    message: Type.String({ description: 'For people: what is wrong, and what to do. Its words may change.' }),
    documentation_url: Type.String({ description: 'Where the code is explained.' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: '`/title` for a field of the body, `limit` for a query parameter.' }),
          message: Type.String(),
        }),
        { description: 'Which parts of the request are at fault, where they are known.' },
      ),
    ),
  },
  { title: 'Error', description: 'What every refusal and every fault says.' },
)
