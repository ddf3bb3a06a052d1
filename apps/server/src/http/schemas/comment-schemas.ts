import { Type } from 'typebox'
import { commentLimits } from '../../model/comment.ts'
import { closed, described, NullableText, NullableTimestamp, nullable, orNull, Timestamp } from '../schemas.ts'

const Commenter = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'Commenter' })

const Comment = Type.Object(
  {
    id: Type.String(),
    text: described(Type.String(), 'Markdown. Mentions are written as `@[user id]`.'),
    author: Commenter,
    createdAt: Timestamp,
    editedAt: NullableTimestamp,
    mentions: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        isMember: described(Type.Boolean(), 'False for people who have left the organization.'),
      }),
    ),
  },
  { title: 'Comment' },
)

const pointText = Type.String({ maxLength: commentLimits.pointCharacters })

const pointFields = {
  runId: Type.String(),
  keys: described(
    Type.Array(Type.Object({ column: pointText, value: pointText }, closed), { maxItems: commentLimits.pointKeys }),
    'What identifies the row or the mark of a chart, such as its category and series.',
  ),
  column: pointText,
  value: pointText,
}

const GivenPoint = Type.Object(pointFields, {
  title: 'GivenPoint',
  description: 'A value of a result, as it is shown.',
  ...closed,
})

const DataPoint = Type.Object(
  { ...pointFields, completedAt: described(Timestamp, 'When the run completed.') },
  { title: 'DataPoint', description: 'A value of a result, as it was shown when the thread began.' },
)

export const CommentThread = Type.Object(
  {
    id: Type.String(),
    tileId: described(NullableText, 'The tile of a board. It may have been removed since.'),
    point: orNull(DataPoint),
    createdAt: Timestamp,
    resolvedAt: NullableTimestamp,
    resolvedBy: nullable(Commenter),
    commentCount: Type.Integer(),
    comments: described(Type.Array(Comment), 'In the order in which they were written. Lists have only the first comment and the newest ones.'),
  },
  { title: 'CommentThread', description: 'A conversation about a query, a board, a tile or a data point.' },
)

export const CommentCounts = Type.Object(
  {
    openCount: described(Type.Integer(), 'The number of open threads.'),
    resolvedCount: Type.Integer(),
    tiles: described(Type.Array(Type.Object({ tileId: Type.String(), openCount: Type.Integer() })), 'Tiles with open threads.'),
  },
  { title: 'CommentCounts' },
)

export const CommentText = Type.Object({ text: Type.String() }, { title: 'CommentText', ...closed })

export const NewThread = Type.Object(
  { text: Type.String(), tileId: Type.Optional(Type.String()), point: Type.Optional(GivenPoint) },
  { title: 'NewThread', ...closed },
)

export const ThreadChange = Type.Object({ isResolved: Type.Boolean() }, { title: 'ThreadChange', ...closed })
