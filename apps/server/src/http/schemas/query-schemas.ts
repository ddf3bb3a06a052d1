import { markFields } from './item-schemas.ts'
import { Type } from 'typebox'
import { parameterTypes } from '../../model/parameter.ts'
import { descriptionMaxLength, freshForMaxSeconds, freshForMinSeconds, referenceParts, titleMaxLength } from '../../model/reference.ts'
import { visualizationTypes } from '@querypost/visualization'
import { downloadFormats } from '../../domain/results/downloads.ts'
import {
  closed,
  columnSettingsFields,
  described,
  fieldTypes,
  isStopped,
  LatestRun,
  namedEnum,
  nullable,
  NullableInteger,
  NullableNumber,
  NullableText,
  NullableTimestamp,
  oneOf,
  orNull,
  ParameterDefinition,
  ParameterOptions,
  ParameterValue,
  Query,
  Reference,
  Run,
  ReferenceInFull,
  Timestamp,
  Uuid,
  Visualization,
} from '../schemas.ts'
import { Verification } from './knowledge-schemas.ts'

/** Queries, references, runs and results for the web app. */
export const ParameterValues = Type.Record(Type.String(), ParameterValue)

export const ResultField = Type.Object(
  { name: Type.String(), type: namedEnum('FieldType', fieldTypes) },
  { title: 'Field', description: 'A column of a result.' },
)

export const FirstRows = Type.Object(
  { fields: Type.Array(ResultField), rows: Type.Array(Type.Array(Type.Unsafe<unknown>({}))) },
  { title: 'FirstRows', description: 'The first rows of a result.' },
)

export const DownloadFormat = namedEnum('DownloadFormat', downloadFormats)

export const ReferenceLink = Type.Object(
  { shortId: Type.String(), title: Type.String() },
  { title: 'ReferenceLink' },
)

export const QueryInFull = Type.Object(
  { ...Query.properties, references: Type.Array(ReferenceLink, { description: 'The references that point to it.' }) },
  { title: 'QueryInFull', description: 'A query with the references that point to it.' },
)


export const FoundReference = Type.Object(
  {
    ...Reference.properties,
    createdByName: Type.String(),
    analyticalDatabaseConfigId: described(NullableText, 'Null while the reference is optimistic.'),
    visualizationType: nullable(namedEnum('VisualizationType', visualizationTypes)),
    ...markFields,
    verification: orNull(Verification),
    latestRun: orNull(Type.Object({ ...LatestRun.properties, isStopped }, { title: 'LatestRunOfReference' })),
  },
  { title: 'FoundReference', description: 'A reference in a list, with details that help to find the right one.' },
)

const freshness = 'How old its result may be when other queries read it with `ref`; null if a stored one is always fresh enough.'

export const MarkedReference = Type.Object(
  { ...ReferenceInFull.properties, verification: orNull(Verification), freshForSeconds: described(NullableInteger, freshness) },
  { title: 'ReferenceInFull', description: 'A reference in full, and whether it is verified.' },
)

export const ReferenceVersion = Type.Object(
  {
    number: Type.Integer(),
    title: Type.String(),
    changedParts: described(
      Type.Array(namedEnum('ReferencePart', referenceParts)),
      'What differs from the version before. Empty for the first version.',
    ),
    restoredNumber: described(NullableInteger, 'The version that was restored with this one.'),
    changedAt: Timestamp,
    changedBy: described(
      orNull(Type.Object({ id: Type.String(), name: Type.String() })),
      'Null if the query was changed before there was a history.',
    ),
    isCurrent: Type.Boolean(),
  },
  { title: 'ReferenceVersion', description: 'A saved state of a query.' },
)

export const ReferenceVersionInFull = Type.Object(
  {
    ...ReferenceVersion.properties,
    description: NullableText,
    isOptimistic: Type.Boolean({ description: 'Whether there was no SQL yet.' }),
    queryId: Uuid,
    sql: Type.String(),
    analyticalDatabaseConfigId: NullableText,
    visualization: Type.Optional(Visualization),
    parameters: Type.Array(ParameterDefinition),
    folderId: NullableText,
  },
  { title: 'ReferenceVersionInFull', description: 'A saved state of a query, with its content.' },
)

const queryRunFields = {
  ...Run.properties,
  startedAt: NullableTimestamp,
  completedAt: NullableTimestamp,
  durationMs: NullableNumber,
  failureReason: NullableText,
  isStopped,
  errorPosition: orNull(
    Type.Object(
      { line: Type.Integer(), column: Type.Integer() },
      { title: 'ErrorPosition', description: 'Position of the error in `renderedSql`. Line and column start at 1.' },
    ),
  ),
  rowCount: NullableInteger,
  rowCountSoFar: described(NullableInteger, 'Number of rows written so far; null unless the run is running.'),
  progress: described(NullableNumber, 'Percentage of the work before the first row that is done; null unless the run is running.'),
  rowsRead: NullableInteger,
  rowsWritten: NullableInteger,
  bytesRead: NullableInteger,
  resultSizeBytes: NullableInteger,
  triggeredBy: Type.Object(
    {
      kind: oneOf(['user', 'key', 'automation', 'chat', 'link', 'embed']),
      name: described(NullableText, 'Null if the trigger is no longer known.'),
      automationId: NullableText,
      chatShortId: NullableText,
    },
    { title: 'RunTrigger', description: 'What triggered the run.' },
  ),
}

export const QueryRun = Type.Object(queryRunFields, { title: 'QueryRun', description: 'A run with the details that the web app shows.' })

const RunInput = Type.Object(
  {
    referenceShortId: Type.String(),
    title: Type.String(),
    parameterValues: ParameterValues,
    runId: described(Type.String(), 'The run whose result is read.'),
    status: described(oneOf(['waiting', 'completed', 'failed']), 'While an input is `waiting`, the run has not started.'),
    resultHash: described(NullableText, 'The hash of the result; null unless completed.'),
    completedAt: NullableTimestamp,
    rowCount: NullableInteger,
  },
  { title: 'RunInput', description: 'A result of a saved query that a run reads with `ref(…)`.' },
)

export const RunInFull = Type.Object(
  {
    ...queryRunFields,
    references: Type.Array(ReferenceLink, { description: 'The references that point to its query.' }),
    inputs: Type.Array(RunInput, { description: 'The results that it reads with `ref(…)`, in the order of the SQL.' }),
  },
  { title: 'RunInFull', description: 'A run with the references to its query and the results it reads.' },
)

const { triggeredBy: _, ...ownRunFields } = queryRunFields

export const OwnRun = Type.Object(
  { ...ownRunFields, reference: orNull(ReferenceLink) },
  { title: 'OwnRun', description: 'A run that the caller started, with the saved query it belongs to.' },
)

export const QueryEstimate = Type.Object(
  {
    estimatedBytes: described(NullableInteger, 'The bytes that the query would read. Null if the engine has no estimate or rejects the statement.'),
    exceededLimit: described(NullableText, 'Why the query would be rejected now. Null if it may run.'),
  },
  { title: 'QueryEstimate' },
)

/** Parameter definitions in a request; only name and type are required. */
export const GivenParameters = Type.Array(
  Type.Object(
    {
      name: Type.String(),
      type: oneOf(parameterTypes),
      displayName: Type.Optional(Type.String()),
      defaultValue: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      isList: Type.Optional(Type.Boolean()),
      options: Type.Optional(ParameterOptions),
    },
    { title: 'GivenParameter', description: 'The definition of a parameter in a request.', ...closed },
  ),
  { maxItems: 100 },
)

export const OptionsOfReference = Type.Object(
  {
    status: Type.Unsafe<'ready' | 'running' | 'missing' | 'failed'>({
      type: 'string',
      enum: ['ready', 'running', 'missing', 'failed'],
      description: '`missing` if the reference has no stored result with these values, so that it needs to run.',
    }),
    options: Type.Array(Type.Object({ value: Type.String(), label: Type.String() }, { title: 'Option' })),
    isComplete: Type.Boolean({ description: 'Whether these are all. If not, a search finds the others.' }),
    completedAt: described(NullableTimestamp, 'When the result was made.'),
    failureReason: NullableText,
    parameterValues: described(ParameterValues, 'The values to run the reference with.'),
  },
  { title: 'OptionsOfReference', description: 'The values in a column of a reference’s result, to choose from.' },
)

const Margin = Type.Optional(Type.Number())
export const GivenVisualization = Type.Object(
  {
    type: oneOf(visualizationTypes),
    jsxConfig: Type.Optional(Type.String()),
    marginConfig: Type.Optional(Type.Object({ top: Margin, right: Margin, bottom: Margin, left: Margin }, closed)),
    ...columnSettingsFields,
  },
  { title: 'GivenVisualization', ...closed },
)

const referenceContent = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: titleMaxLength })),
  description: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: descriptionMaxLength }),
  ),
  visualization: Type.Optional(nullable(GivenVisualization)),
  parameters: Type.Optional(GivenParameters),
}

/** Without a query it only reserves a permalink (an optimistic reference). */
export const NewReference = Type.Object(
  { queryId: Type.Optional(Uuid), ...referenceContent },
  { title: 'NewReference', ...closed },
)

/** The published form: the SQL and the reference to it are created together. */
export const SavedQuery = Type.Object(
  {
    ...referenceContent,
    title: Type.String({ minLength: 1, maxLength: titleMaxLength, examples: ['Revenue by month'] }),
    sql: Type.String({ description: 'One statement that reads.', examples: ['select 1'] }),
    analyticalDatabaseConfigId: Type.String({ description: 'The database to run it against.', examples: ['db_4k2n'] }),
    folderId: Type.Optional(described(NullableText, 'The folder to put it in. Null: none.')),
  },
  { title: 'SavedQuery', ...closed },
)

export const ReferenceChange = Type.Object(
  {
    ...referenceContent,
    sql: Type.Optional(Type.String()),
    analyticalDatabaseConfigId: Type.Optional(Type.String()),
    folderId: Type.Optional(described(NullableText, 'Null for the top.')),
    freshForSeconds: Type.Optional(
      Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: freshForMinSeconds, maximum: freshForMaxSeconds, description: freshness }),
    ),
  },
  { title: 'ReferenceChange', ...closed },
)
