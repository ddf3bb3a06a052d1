import { colorConditions, formatStyles, granularities, totalKinds, visualizationTypes } from '@querypost/visualization'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { pageSizeDefault, pageSizeMaximum } from '../model/page.ts'
import { parameterTypes, type ParameterValue as StoredValue } from '../model/parameter.ts'

/**
 * The schemas of the published API, and the building blocks of all schemas. They validate requests and serialize responses: a field
 * that is not in the schema is never sent. The schemas of `/api` become the OpenAPI document. Those of `/app/api`, in `schemas/`, become
 * the types of the web app (`apps/web/src/api/generated`), named by their `title`.
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
/** An enum for the web app: the title becomes a type and a constant with the values. */
export const namedEnum = <Value extends string>(title: string, values: readonly Value[], description?: string) =>
  Type.Unsafe<Value>({ title, type: 'string', enum: [...values], ...(description !== undefined && { description }) })
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/**
 * An object or null. Unlike a union, it is serialized without being validated first, and an error inside it is reported once instead of
 * once per alternative.
 */
export const orNull = <Schema extends TObject>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: ['object', 'null'] })

/** Unknown fields are always rejected, so that a misspelled name is not silently ignored. */
export const closed = { additionalProperties: false } as const

/** The same schema without a name of its own in the OpenAPI document: the reference shows its fields at the route. */
export const unnamed = <Schema extends TSchema>(schema: Schema): Schema => {
  const { title: _, ...rest } = schema as Schema & { title?: string }
  return rest as Schema
}

/**
 * A schema of the web app for the OpenAPI document: under a name of its own, with the types inside it shown in place. The names of those
 * are for the web app's generated types.
 */
export const published = <Schema extends TSchema>(schema: Schema, title: string, description: string): Schema => ({
  ...(withoutTitles(schema) as Schema),
  title,
  description,
})

function withoutTitles(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutTitles)
  if (typeof part !== 'object' || part === null) return part
  const { title: _, properties, ...rest } = part as { title?: string; properties?: Record<string, unknown> }
  const inside = Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : withoutTitles(value)])
  return {
    ...Object.fromEntries(inside),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withoutTitles(each)])) }),
  }
}

/** The schema with a description of its meaning in this place. */
export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({ ...schema, description })

/** Stricter than the `uuid` format, which also allows the prefix `urn:uuid:`. */
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
  description: '`pending`, then `running`, then `completed` or `failed`. The last two are final.',
})

export const isStopped = Type.Boolean({ description: 'True if a person stopped it. Its status is then `failed`.' })

export const PageQuery = Type.Object(
  {
    limit: Type.Integer({
      minimum: 1,
      maximum: pageSizeMaximum,
      default: pageSizeDefault,
      description: 'Maximum number of items per page.',
      examples: [50],
    }),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page.',
        examples: ['eyJsaXN0IjoicXVlcmllcyJ9.x2Vn'],
      }),
    ),
  },
  closed,
)

/** The response of every paginated list. */
export const listPage = <Item extends TSchema>(item: Item) => Type.Object(pageFields(item))

const pageFields = <Item extends TSchema>(item: Item) => ({
  items: Type.Array(item),
  nextCursor: Type.Optional(
    Type.String({ description: 'Send it as `cursor` to get the next page. Opaque; absent on the last page.' }),
  ),
})

/** A list without pagination. */
export const wholeList = <Item extends TSchema>(item: Item) => Type.Object({ items: Type.Array(item) })

export const pageOf = <Item extends TSchema>(title: string, item: Item) =>
  Type.Object(pageFields(item), {
    title,
    description: 'One page of a list. All pages show the list as it was when the first page was requested.',
  })

const ShortId = Type.String({
  description: 'Identifier of the permalink, `/q/<shortId>`. Never changes.',
  examples: ['k7m2p9qxwd'],
})
const UserId = Type.String({ description: 'Id of the user who created it.', examples: ['user_2n4k8mq7'] })

const referenceFields = {
  id: Type.String({ examples: ['ref_5f8s2k1c'] }),
  shortId: ShortId,
  title: Type.String({ description: '`Untitled query` until it is changed.', examples: ['Revenue by month'] }),
  description: described(NullableText, 'Null if there is none.'),
  isOptimistic: Type.Boolean({ description: 'True while the query it points to does not exist yet.' }),
  createdBy: UserId,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  currentQuery: Type.Object(
    { id: Uuid, sql: Type.String({ description: 'Empty while the query does not exist yet.' }) },
    { description: 'The query it points to. Saving changed SQL creates a new query, and the reference then points to that.' },
  ),
}

export const Reference = Type.Object(referenceFields, {
  title: 'Reference',
  description: 'A bookmark that points to a query and has a permalink. Several may point to the same query.',
})

/** A single value, or the elements of a list. */
export const ParameterValue = Type.Unsafe<StoredValue>({
  // Arrays first: the serializer would turn one into a string.
  type: ['array', 'string', 'number', 'boolean'],
  items: { type: ['string', 'number', 'boolean'] },
})

export const ParameterOptions = Type.Object(
  {
    values: Type.Optional(
      Type.Array(
        Type.Object(
          {
            value: Type.String({ description: 'Text that is valid for the type.', examples: ['DE'] }),
            label: Type.Optional(Type.String({ description: 'Shown instead of the value.', examples: ['Germany'] })),
          },
          { title: 'ParameterOption', description: 'A value to choose.', ...closed },
        ),
      ),
    ),
    referenceShortId: Type.Optional(Type.String({ description: 'The reference whose result has the values.', examples: ['k7m2p9qxwd'] })),
    valueColumn: Type.Optional(Type.String({ description: 'The column of that result with the values.' })),
    labelColumn: Type.Optional(Type.String({ description: 'The column with the texts to show instead of the values.' })),
    dependsOn: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Names of other parameters whose values narrow the options. A value goes to the parameter of that name of the reference; if it has none, only rows with that value in the column of that name are kept. Names without a parameter are ignored.',
      }),
    ),
  },
  {
    title: 'ParameterOptions',
    description: 'Values to choose from: either `values`, or `referenceShortId` with `valueColumn`. Other values are still accepted.',
    ...closed,
  },
)

export const ParameterDefinition = Type.Object(
  {
    name: Type.String({ description: 'SQL refers to it as `{{name}}`.', examples: ['region'] }),
    displayName: Type.String({ examples: ['Region'] }),
    type: described(
      oneOf(parameterTypes),
      'SQL refers to the days of a `dateRange` as `{{name.start}}` and `{{name.end}}`, both inclusive.',
    ),
    defaultValue: Type.String({
      description:
        'Text that is valid for the type. Empty means no default, except for `text`. A JSON array for a list; for a `dateRange`, `last 30 days` or `2026-01-01..2026-03-31`.',
    }),
    description: Type.String(),
    isList: Type.Optional(
      Type.Boolean({ description: 'Whether it takes a list of values, for `in ({{name}})`. Absent means false.' }),
    ),
    options: Type.Optional(ParameterOptions),
  },
  { title: 'ParameterDefinition', description: 'Defines the values of a placeholder in the SQL.', ...closed },
)

export const ColumnFormat = Type.Object(
  {
    style: oneOf(formatStyles),
    currency: Type.Optional(Type.String({ description: 'ISO 4217, for the style `currency`.', examples: ['EUR'] })),
    unit: Type.Optional(Type.String({ description: 'Shown after the number, for the style `unit`.' })),
    decimals: Type.Optional(Type.Integer({ description: 'Digits after the decimal point, 0 to 10.' })),
    isGrouped: Type.Optional(Type.Boolean({ description: 'Whether thousands are separated; true by default.' })),
    isFraction: Type.Optional(Type.Boolean({ description: 'For the style `percent`: 0.12 is shown as 12%.' })),
    isCompact: Type.Optional(Type.Boolean({ description: '1,200,000 is shown as 1.2M.' })),
    granularity: Type.Optional(oneOf(granularities)),
  },
  { title: 'ColumnFormat', description: 'How the values of a column are written.', ...closed },
)

const MatchRule = Type.Object(
  {
    when: oneOf(colorConditions),
    value: Type.Unsafe<string | number>({ type: ['string', 'number'] }),
    to: Type.Optional(Type.Number({ description: 'For `between`: the upper bound.' })),
    color: Type.String({ examples: ['#c2410c'] }),
  },
  { title: 'MatchRule', description: 'Colors the cells that match.', ...closed },
)

const ScaleRule = Type.Object(
  {
    when: Type.Literal('scale'),
    from: Type.String({ description: 'The color of the lowest value.', examples: ['#ffffff'] }),
    to: Type.String({ description: 'The color of the highest value.', examples: ['#2b7a86'] }),
  },
  { title: 'ScaleRule', description: 'Colors all cells, from the lowest value to the highest.', ...closed },
)

export const ColumnSettings = Type.Object(
  {
    name: Type.String({ description: 'The column of the result.' }),
    title: Type.Optional(Type.String({ description: 'Shown instead of the name.' })),
    isHidden: Type.Optional(Type.Boolean()),
    format: Type.Optional(ColumnFormat),
    colors: Type.Optional(Type.Array(Type.Union([MatchRule, ScaleRule]))),
    total: Type.Optional(oneOf(totalKinds)),
  },
  { title: 'ColumnSettings', description: 'How one column is shown, everywhere.', ...closed },
)

export const columnSettingsFields = {
  columns: Type.Optional(
    Type.Array(ColumnSettings, { description: 'In the order in which the columns are shown. Columns that are not listed follow.' }),
  ),
  hasTotals: Type.Optional(Type.Boolean({ description: 'Whether tables end with a row of totals.' })),
}

export const Visualization = Type.Object(
  {
    type: oneOf(visualizationTypes),
    jsxConfig: Type.String({
      description: 'The chart as declarative JSX. It is parsed and checked as data, never evaluated.',
      examples: ['<BarChart><XAxis dataKey="month" /><Bar dataKey="revenue" /></BarChart>'],
    }),
    marginConfig: Type.Object(
      { top: Type.Number(), right: Type.Number(), bottom: Type.Number(), left: Type.Number() },
      { description: 'The space around the chart, in pixels.', ...closed },
    ),
    ...columnSettingsFields,
  },
  { title: 'Visualization', description: 'How the result is displayed.', ...closed },
)

export const ReferenceInFull = Type.Object(
  {
    ...referenceFields,
    visualization: Type.Optional(Visualization),
    parameters: Type.Array(ParameterDefinition),
  },
  { title: 'ReferenceInFull', description: 'A reference with its parameters and, if it has one, its visualization.' },
)

export const ReferenceVersionNumber = Type.Integer({
  description: 'Increases with every change of its content. Send it as `If-Match`, in double quotes.',
  examples: [3],
})

export const SavedReference = Type.Object(
  { ...ReferenceInFull.properties, version: ReferenceVersionNumber },
  { title: 'SavedReference', description: 'A reference with its parameters, its version and, if it has one, its visualization.' },
)

export const DeletedReference = Type.Object(
  {
    id: Type.String(),
    shortId: described(ShortId, 'Its permalink now returns 404.'),
    title: Type.String(),
    description: NullableText,
    queryId: described(Uuid, 'The query it pointed to, which is kept.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Timestamp,
  },
  { title: 'DeletedReference', description: 'The deleted reference.' },
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
    runAt: described(Timestamp, 'When the run was requested.'),
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
    rowCount: described(NullableInteger, 'Number of rows in the result.'),
    durationMs: NullableInteger,
    failureReason: described(NullableText, 'Why the run failed, as text for people. Null unless it failed.'),
  },
  {
    title: 'RunMetadata',
    description: 'Statistics of the latest run. Null until known, or if the engine does not report them.',
  },
)

export const ListedQuery = Type.Object(
  {
    ...queryFields,
    latestRun: nullable(
      Type.Object(
        { id: Type.String(), status: RunStatus, runAt: Timestamp },
        { title: 'ListedRun', description: 'The latest run as of the first page. Null before the first run.' },
      ),
    ),
  },
  { title: 'ListedQuery', description: 'A stored query in a list.' },
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
    triggerId: Type.String({ description: 'What triggered the run: `key_…`, `user_…` or the id of an automation run.', examples: ['key_3h5j'] }),
    parameterValues: Type.Record(Type.String(), ParameterValue, {
      description: 'The value of every placeholder, by name. The value of a list is an array.',
    }),
    renderedSql: Type.String({ description: 'The exact SQL that is executed, with parameters substituted.' }),
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
            'A column. Integers beyond ±(2^53-1) and all decimals are exact JSON strings; timestamps are ISO 8601 in UTC, dates `YYYY-MM-DD`, bytes base64.',
        },
      ),
    ),
    rows: Type.Array(Type.Array(Type.Unsafe<unknown>({})), { description: 'One value per field, in the order of `fields`.' }),
    rowCount: Type.Integer(),
  },
  { title: 'QueryResult', description: 'The cached result of the query’s latest successful run.' },
)

export const NotModified = Type.Null({ description: 'The copy identified by If-None-Match is still current.' })

export const ErrorResponse = Type.Object(
  {
    type: Type.Unsafe<'invalid_request' | 'api_error'>({
      type: 'string',
      enum: ['invalid_request', 'api_error'],
      description: '`invalid_request`: the request is at fault (4xx). `api_error`: the service is at fault (5xx).',
    }),
    code: Type.String({
      title: 'ErrorCode',
      description: 'Stable code for programs. New codes may be added: handle an unknown one by its HTTP status.',
    }),
    message: Type.String({ description: 'For people: what is wrong and what to do. The wording may change.' }),
    documentation_url: Type.String({ description: 'Documentation of the code.' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: '`/title` for a field of the body, `limit` for a query parameter.' }),
          message: Type.String(),
        }),
        { description: 'The invalid parts of the request, if known.' },
      ),
    ),
    estimatedBytes: Type.Optional(Type.Integer({ description: 'With `cost_limit_exceeded`: the bytes that the query would read.' })),
    limitBytes: Type.Optional(Type.Integer({ description: 'With `cost_limit_exceeded`: the limit, per query or per day.' })),
    currentVersion: Type.Optional(Type.String({ description: 'With `version_conflict`: the version that the object has now.' })),
  },
  { title: 'Error', description: 'The body of every error response.' },
)
