import { Type } from 'typebox'
import { feedProblems, keyColumnsMax } from '../../model/change-feed.ts'
import { ReferenceChange as AppReferenceChange } from './query-schemas.ts'
import { closed, described, namedEnum, oneOf, published, Reference, ReferenceVersionNumber, Timestamp, unnamed } from '../schemas.ts'

const NullableTexts = Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' } })

export const ReferenceChange = Type.Object(
  {
    number: Type.Integer({ description: '1, 2, 3, … without gaps for each reference.', examples: [12] }),
    at: described(Timestamp, 'When the run with the later result completed.'),
    fromRunId: Type.String({ description: 'The run with the earlier result.', examples: ['run_2v7c'] }),
    toRunId: Type.String({ description: 'The run with the later result.', examples: ['run_9k3d'] }),
    fromResultHash: Type.String({ description: 'The hash of the earlier result: `toResultHash` of the change before.' }),
    toResultHash: Type.String({ description: 'The hash of the later result, as in its `ETag`.' }),
    keyColumns: Type.Array(Type.String(), { description: 'The columns that identify a row.', examples: [['id']] }),
    isKeyUnique: Type.Boolean({ description: 'Whether the key occurs at most once in each result.' }),
    isReplacement: Type.Boolean({ description: 'True if the columns differ: then all rows are removed and added.' }),
    added: Type.Integer({ examples: [3] }),
    removed: Type.Integer({ examples: [0] }),
    changed: Type.Integer({ examples: [17] }),
    rowsUrl: Type.String({ description: 'The changed rows.' }),
    patchUrl: Type.String({ description: 'The exact difference, with the order of the rows.' }),
  },
  { title: 'ResultChange', description: 'How a result of a reference differs from the one before.' },
)

export const ChangesQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only changes with a higher number. Without it, all that are kept.',
        examples: [0],
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Maximum number of changes.', examples: [50] }),
  },
  closed,
)

export const ChangeList = Type.Object(
  {
    items: Type.Array(ReferenceChange),
    nextAfter: Type.Integer({ description: 'Send it as `after` to go on, now or later.', examples: [12] }),
    latestNumber: Type.Integer({ description: 'The number of the newest change; 0 before the first one.', examples: [12] }),
  },
  { title: 'ChangeList', description: 'The changes after a number, oldest first.' },
)

export const FeedEdit = Type.Object(
  {
    publishesChanges: Type.Optional(Type.Boolean({ description: 'Turns the change feed on or off.', examples: [true] })),
    keyColumns: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        minItems: 1,
        maxItems: keyColumnsMax,
        description: 'The columns that identify a row. Null, or left out the first time: they are inferred from the data.',
        examples: [['week']],
      }),
    ),
  },
  closed,
)

export const SavedQueryEdit = unnamed(
  published(
    Type.Object({ ...AppReferenceChange.properties, ...FeedEdit.properties }, closed),
    'SavedQueryEdit',
    'The fields to change.',
  ),
)

const feedFields = {
  publishesChanges: Type.Boolean(),
  keyColumns: described(NullableTexts, 'The columns that identify a row. Null until there is a result to infer them from.'),
  keyChoice: Type.Unsafe<'chosen' | 'inferred'>({ ...oneOf(['chosen', 'inferred']), description: 'Whether you chose the key columns.' }),
}
const FeedProblemName = Type.Unsafe<(typeof feedProblems)[number] | null>({
  type: ['string', 'null'],
  enum: [...feedProblems, null],
  description:
    'What was wrong when the last result was compared; null if nothing. The feed goes on. `key_not_unique`: several rows have the same key. `key_column_missing`: the result has no such column, so the key was inferred. `comparison_failed`: the rows could not be compared, so all count as replaced. `result_not_kept`: a result was not stored and is not in the feed.',
})

export const PublishingReference = Type.Object(
  { ...Reference.properties, ...feedFields, version: ReferenceVersionNumber, latestChangeNumber: Type.Integer(), changesProblem: FeedProblemName },
  { title: 'PublishingReference', description: 'A reference with the settings of its change feed.' },
)

/** For the web app. */
export const ChangeFeed = Type.Object(
  {
    ...feedFields,
    latestNumber: Type.Integer(),
    problem: Type.Union([namedEnum('FeedProblem', feedProblems), Type.Null()]),
    latestChanges: Type.Array(ReferenceChange),
  },
  { title: 'ChangeFeed' },
)

export const JsonLines = {
  description: 'JSON lines.',
  content: { 'application/jsonl': { schema: Type.String() } },
}
