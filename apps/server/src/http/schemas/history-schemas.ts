import { Type } from 'typebox'
import { fillStates } from '../../model/history-fill.ts'
import { closed, described, fieldTypes, namedEnum, NullableText, nullable, oneOf, ParameterDefinition, Timestamp, Visualization } from '../schemas.ts'
import { BoardVersionInFull } from './board-schemas.ts'
import { ParameterValues } from './query-schemas.ts'

export const KeptResult = Type.Object(
  {
    runId: Type.String({ description: 'The run whose result it is.', examples: ['run_2v7c'] }),
    at: described(Timestamp, 'When the run completed.'),
    rowCount: Type.Integer({ examples: [1204] }),
    resultHash: Type.String({ description: 'A hash of the result: equal results have equal hashes. The `ETag` is derived from it.' }),
    sizeBytes: Type.Integer({ description: 'The size of the result as it is stored, compressed.', examples: [18231] }),
    isPinned: Type.Boolean({ description: 'Whether it never expires.' }),
  },
  { title: 'KeptResult', description: 'A result of a reference that was kept after it left the cache.' },
)

const keptDaysMax = 3650
const keptCountMax = 10_000
const keptBytesMax = 1024 ** 4

export const HistoryLimits = Type.Object({ days: Type.Integer(), count: Type.Integer(), bytes: Type.Integer() })
export const HistorySettings = Type.Object(
  { limits: HistoryLimits, defaults: HistoryLimits, storedBytes: Type.Number() },
  { title: 'HistorySettings' },
)
export const HistoryLimitsChange = Type.Object(
  {
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: keptDaysMax })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: keptCountMax })),
    bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: keptBytesMax })),
  },
  closed,
)

const NullableInteger = (maximum: number) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum })
export const ReferenceHistorySettings = Type.Object({
  own: Type.Object({ days: NullableInteger(keptDaysMax), count: NullableInteger(keptCountMax) }),
  organization: Type.Object({ days: Type.Integer(), count: Type.Integer() }),
}, { title: 'ReferenceHistorySettings' })
export const ReferenceHistoryChange = Type.Object(
  { days: Type.Optional(NullableInteger(keptDaysMax)), count: Type.Optional(NullableInteger(keptCountMax)) },
  closed,
)

export const HistoryUse = Type.Object({
  referenceShortId: Type.String(),
  title: Type.String(),
  resultCount: Type.Integer(),
  pinnedCount: Type.Integer(),
  storedBytes: Type.Number(),
}, { title: 'HistoryUse' })

export const CompareQuery = Type.Object(
  {
    from: Type.String({ description: 'The run of the earlier result.', examples: ['run_2v7c'] }),
    to: Type.String({ description: 'The run of the later result.', examples: ['run_2v7c'] }),
    keyColumns: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 20,
        description: 'The columns that identify a row, separated by commas. By default they are inferred.',
        examples: [['week']],
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Return at most this many rows. The counts are of all rows.', examples: [100] }),
    ),
    format: Type.Optional(
      Type.Unsafe<'json' | 'jsonl'>({ ...oneOf(['json', 'jsonl']), description: 'JSON by default; `jsonl`: one changed row per line.', examples: ['jsonl'] }),
    ),
  },
  closed,
)

const Row = Type.Array(Type.Unknown(), { description: 'The values of a row, in the order of the columns of its result.' })
const Column = Type.Object({ name: Type.String(), type: oneOf(fieldTypes) })

export const ChangedRow = Type.Object(
  {
    op: oneOf(['add', 'remove', 'change']),
    key: Type.Array(Type.Unknown(), { description: 'The values of the key columns.' }),
    before: Type.Optional(Row),
    after: Type.Optional(Row),
    cells: Type.Optional(
      Type.Array(
        Type.Object({
          column: Type.String(),
          before: Type.Unknown(),
          after: Type.Unknown(),
          difference: Type.Optional(Type.String({ description: '`after - before` of numbers, exact.', examples: ['-0.25'] })),
        }),
        { description: 'The changed cells of a changed row.' },
      ),
    ),
  },
  { title: 'ChangedRow', description: 'A row that was added, removed or changed.' },
)

export const ResultComparison = Type.Object(
  {
    from: KeptResult,
    to: KeptResult,
    keyColumns: Type.Array(Type.String()),
    keyChoice: Type.Unsafe<'chosen' | 'inferred' | 'all_columns'>({
      ...oneOf(['chosen', 'inferred', 'all_columns']),
      description: '`chosen` by you, `inferred` because it is unique in both results, or `all_columns`, because there is no such key.',
    }),
    isKeyUnique: Type.Boolean({ description: 'Whether the key occurs at most once in each result.' }),
    columns: Type.Object({
      added: Type.Array(Column),
      removed: Type.Array(Column),
      changed: Type.Array(Type.Object({ name: Type.String(), before: oneOf(fieldTypes), after: oneOf(fieldTypes) })),
      isReordered: Type.Boolean(),
    }),
    added: Type.Integer(),
    removed: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    rows: Type.Array(ChangedRow, { description: 'Added and changed rows in the order of the later result, then removed rows in the order of the earlier one.' }),
  },
  { title: 'ResultComparison', description: 'What changed between two results of a reference.' },
)

export const ComparisonContent = {
  description: 'The comparison in the requested format.',
  content: { 'application/json': { schema: ResultComparison }, 'application/jsonl': { schema: Type.String() } },
}

export const WhyQuery = Type.Object(
  {
    from: Type.String({ description: 'The run of the earlier result.', examples: ['run_2v7c'] }),
    to: Type.String({ description: 'The run of the later result.', examples: ['run_2v7c'] }),
    measure: Type.Optional(
      Type.String({ description: 'The column whose sum is explained. By default, the first five columns that can be added up.', examples: ['revenue'] }),
    ),
    denominator: Type.Optional(
      Type.String({ description: 'A column by whose sum that of the measure is divided, to explain a ratio.', examples: ['orders'] }),
    ),
    keyColumns: CompareQuery.properties.keyColumns,
  },
  closed,
)

const Exact = (description?: string) => Type.String({ ...(description && { description }), examples: ['1204.5'] })
const Causes = Type.Array(Type.Unsafe<'sql' | 'parameters' | 'data'>(oneOf(['sql', 'parameters', 'data'])), {
  description: 'What changed. Several causes: with the results that are kept, they cannot be separated.',
})
const measureNames = {
  column: Type.String(),
  denominator: nullable(Type.String({ description: 'The column it is divided by; null for a sum.' })),
}
const Point = Type.Object({ runId: Type.String(), at: Timestamp })

export const ChangeBreakdown = Type.Object(
  {
    columns: Type.Array(Type.String()),
    isKey: Type.Boolean({ description: 'Whether these are the columns that identify a row.' }),
    contributions: Type.Array(
      Type.Object({
        values: Type.Array(Type.Unknown(), { description: 'The values of the columns.' }),
        before: nullable(Exact('The sum of the measure; null for a ratio.')),
        after: nullable(Exact()),
        difference: Exact(),
      }),
      { description: 'The ten largest.' },
    ),
    rest: Type.Object({ count: Type.Integer(), difference: Exact() }, { description: 'All other values that contribute.' }),
  },
  { title: 'ChangeBreakdown', description: 'A difference by the values of some columns. `contributions` and `rest` add up to it exactly.' },
)

export const ExplainedStep = Type.Object(
  {
    causes: Causes,
    from: Point,
    to: Point,
    keyColumns: Type.Array(Type.String()),
    keyChoice: ResultComparison.properties.keyChoice,
    added: Type.Integer({ description: 'Rows.' }),
    removed: Type.Integer(),
    changed: Type.Integer(),
    measures: Type.Array(
      Type.Object({
        ...measureNames,
        before: Exact(),
        after: Exact(),
        difference: Exact(),
        effects: nullable(
          Type.Object({ numerator: Exact(), denominator: Exact() }, { description: 'Of a ratio: they add up to the difference.' }),
        ),
        rows: Type.Object({ added: Exact(), removed: Exact(), changed: Exact() }, { description: 'What rows contribute that were added, removed and changed.' }),
        breakdowns: Type.Array(ChangeBreakdown),
      }),
    ),
  },
  { title: 'ExplainedStep', description: 'A part of the way from one result to another.' },
)

export const ExplainedChange = Type.Object(
  {
    from: KeptResult,
    to: KeptResult,
    sql: nullable(
      Type.Object({ before: nullable(Type.String()), after: nullable(Type.String()) }, { description: 'Null if the SQL is the same.' }),
    ),
    parameters: Type.Array(Type.Object({ name: Type.String(), before: Type.Unknown(), after: Type.Unknown() }), {
      description: 'The parameters whose values differ.',
    }),
    numberColumns: Type.Array(Type.String(), { description: 'The columns that can be chosen as `measure` or `denominator`.' }),
    measures: Type.Array(
      Type.Object({
        ...measureNames,
        before: Exact(),
        after: Exact(),
        difference: Exact('`after - before`, exact.'),
        parts: Type.Array(Type.Object({ causes: Causes, difference: Exact() }), { description: 'They add up to the difference exactly.' }),
      }),
    ),
    steps: Type.Array(ExplainedStep, { description: 'The way from the earlier to the later result, through other kept results where these separate causes.' }),
  },
  { title: 'ExplainedChange', description: 'Why the numbers of two results of a reference differ.' },
)

export const PastQuery = Type.Object({ at: Type.String({ maxLength: 40 }) }, closed)

const pastFields = {
  shown: nullable(
    Type.Object(
      {
        result: KeptResult,
        sql: NullableText,
        queryId: Type.String(),
        parameterValues: ParameterValues,
        title: Type.String(),
        description: NullableText,
        parameters: Type.Array(ParameterDefinition),
        visualization: Type.Optional(Visualization),
      },
      { title: 'PastResult', description: 'A kept result, with the query as it was saved then.' },
    ),
  ),
  oldestAt: nullable(Timestamp),
}
export const PastReference = Type.Object(pastFields, { title: 'PastReference' })
export const PastBoard = Type.Object(
  {
    title: Type.String(),
    tabs: BoardVersionInFull.properties.tabs,
    tiles: BoardVersionInFull.properties.tiles,
    isFromThen: Type.Boolean({ description: 'False if the board was created later. Then this is its first version.' }),
    items: Type.Array(Type.Object({ referenceShortId: Type.String(), ...pastFields }, { title: 'PastTile' })),
  },
  { title: 'PastBoard', description: 'The layout of a board at a time, and what its queries showed then.' },
)

export const HistoryFill = Type.Object(
  {
    parameter: Type.String(),
    state: namedEnum('HistoryFillState', fillStates),
    dayCount: Type.Integer(),
    doneCount: Type.Integer({ description: 'Days that are done, those that failed included.' }),
    failedCount: Type.Integer(),
    reason: NullableText,
  },
  { title: 'HistoryFill', description: 'Runs a query for past days, so that backtests have a history.' },
)
export const NewHistoryFill = Type.Object(
  { parameter: Type.String({ description: 'A parameter of type date or timestamp.' }), days: Type.Integer({ description: 'How many days before today.' }) },
  { title: 'NewHistoryFill', ...closed },
)
