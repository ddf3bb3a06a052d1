import { Type } from 'typebox'
import { boardLimits, tileDisplays, tileKinds, tileStates } from '../../model/board.ts'
import { itemKinds } from '../../model/item.ts'
import { parameterTypes } from '../../model/parameter.ts'
import { publicLinkLimits, viewedBoardFormats, viewerDownloads } from '../../model/sharing/public-link.ts'
import {
  closed,
  described,
  namedEnum,
  nullable,
  NullableInteger,
  NullableText,
  NullableTimestamp,
  oneOf,
  Timestamp,
  Visualization,
} from '../schemas.ts'
import { BoardTab } from './board-schemas.ts'
import { ChartPalette } from './people-schemas.ts'
import { ParameterValues } from './query-schemas.ts'

const Value = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] })

const ViewerDownload = namedEnum('ViewerDownload', viewerDownloads, 'A format that viewers may download results in.')

const PublicParameter = Type.Object(
  {
    name: Type.String(),
    values: Type.Array(Value, {
      maxItems: publicLinkLimits.allowedValues,
      description: 'The values that viewers may choose. The default is always one of them.',
    }),
  },
  { title: 'PublicParameter', description: 'A parameter that viewers may change.', ...closed },
)

const linkOptions = {
  parameters: Type.Array(PublicParameter, {
    maxItems: boardLimits.parameters,
    description: 'Parameters that viewers may change. All others keep their default.',
  }),
  showsSql: Type.Boolean({ description: 'Whether viewers see the SQL.' }),
  allowsRefresh: Type.Boolean({ description: 'Whether viewers may run the queries, within limits.' }),
  downloads: Type.Array(ViewerDownload, { description: 'The formats in which viewers may download results.' }),
}

export const PublicLink = Type.Object(
  {
    id: Type.String(),
    url: described(NullableText, 'The link to send. Null if the service’s SECRET_KEY was changed since.'),
    kind: namedEnum('ItemKind', itemKinds),
    shortId: Type.String(),
    title: described(NullableText, 'The title of the query or board; null if it was deleted.'),
    ...linkOptions,
    hasPassword: Type.Boolean(),
    expiresAt: described(NullableTimestamp, 'Null if it does not expire.'),
    isExpired: Type.Boolean(),
    createdBy: Type.Object({ id: Type.String(), name: Type.String() }),
    createdAt: Timestamp,
    viewCount: Type.Integer({ description: 'How often the page was opened.' }),
    lastViewedAt: described(NullableTimestamp, 'Null if nobody has opened it yet.'),
  },
  { title: 'PublicLink', description: 'A link that shows a query or a board to anyone who has it.' },
)

const givenExpiry = described(nullable(Timestamp), 'When the link stops working. Null: never.')
const givenPassword = described(nullable(Type.String({ maxLength: 1024 })), 'Viewers must enter it. Null: no password.')

export const NewPublicLink = Type.Object(
  { ...Type.Partial(Type.Object(linkOptions)).properties, expiresAt: Type.Optional(givenExpiry), password: Type.Optional(givenPassword) },
  { title: 'NewPublicLink', description: 'By default, viewers see stored results and can change nothing.', ...closed },
)

export const PublicLinkChange = Type.Object(NewPublicLink.properties, {
  title: 'PublicLinkChange',
  description: 'The fields of a public link to change.',
  ...closed,
})

export const GivenLinkPassword = Type.Object({ password: Type.String({ maxLength: 1024 }) }, { title: 'GivenLinkPassword', ...closed })

export const LinkPass = Type.Object(
  { pass: Type.String({ description: 'Send it as `Authorization: Bearer <pass>` with all other requests for this link.' }) },
  { title: 'LinkPass' },
)

const EmbedSecret = Type.Object(
  {
    id: Type.String({ description: 'The `kid` of tokens.' }),
    name: Type.String(),
    createdBy: Type.Object({ id: Type.String(), name: Type.String() }),
    createdAt: Timestamp,
    lastUsedAt: described(NullableTimestamp, 'Accurate to the minute; null if never used.'),
    expiresAt: described(NullableTimestamp, 'When it was replaced: the end of the overlap.'),
  },
  { title: 'EmbedSecret', description: 'A secret that signs the tokens of embedded pages. It is shown only once.' },
)

export const Embedding = Type.Object(
  {
    origins: Type.Array(Type.String(), { description: 'The sites that may embed pages. If there is none, nothing can be embedded.' }),
    secrets: Type.Array(EmbedSecret),
  },
  { title: 'Embedding' },
)

export const NewEmbedSecret = Type.Object(
  { id: Type.String(), name: Type.String(), secret: Type.String({ description: 'Shown only in this response.' }) },
  { title: 'NewEmbedSecret' },
)

const SharedParameter = Type.Object(
  {
    name: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    type: oneOf(parameterTypes),
    isList: Type.Boolean(),
    value: Type.Unsafe<string | number | boolean | (string | number | boolean)[] | null>({
      type: ['string', 'number', 'boolean', 'array', 'null'],
      items: Value,
      description: 'What the page shows first; null if there is no default.',
    }),
    choices: Type.Unsafe<{ value: string | number | boolean; label: string }[] | null>({
      type: ['array', 'null'],
      items: { type: 'object', properties: { value: Value, label: { type: 'string' } }, required: ['value', 'label'] },
      description: 'The values to choose from; null for a field that takes any value.',
    }),
  },
  { title: 'SharedParameter', description: 'A parameter that the viewer may change.' },
)

const SharedTile = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(tileKinds),
    title: NullableText,
    text: NullableText,
    shows: Type.Optional(oneOf(tileDisplays)),
    visualization: Type.Optional(Visualization),
    sql: Type.Optional(Type.String({ description: 'Only if viewers may see it.' })),
    filters: Type.Optional(
      Type.Object(
        { column: Type.String(), parameter: Type.String() },
        { description: 'A click on a category sets a parameter, which the viewer may change, to the value of a column.' },
      ),
    ),
    tabId: Type.Optional(Type.String()),
    x: Type.Integer(),
    y: Type.Integer(),
    width: Type.Integer(),
    height: Type.Integer(),
  },
  { title: 'SharedTile', description: 'A part of a shared page.' },
)

export const SharedView = Type.Object(
  {
    kind: namedEnum('ItemKind', itemKinds),
    title: Type.String(),
    description: NullableText,
    parameters: Type.Array(SharedParameter),
    tabs: Type.Array(BoardTab),
    tiles: Type.Array(SharedTile, { description: 'A query has one.' }),
    allowsRefresh: Type.Boolean(),
    downloads: Type.Array(ViewerDownload),
    chartPalette: ChartPalette,
    tokenExpiresInSeconds: described(NullableInteger, 'How long the token of an embedded page is still valid. Null for a public link.'),
  },
  { title: 'SharedView', description: 'What a viewer sees of a query or a board, without its results.' },
)

const SharedTileResult = Type.Object(
  {
    tileId: Type.String(),
    status: oneOf(tileStates.filter((state) => state !== 'expired')),
    completedAt: described(NullableTimestamp, 'When the stored result was made; null if there is none.'),
  },
  { title: 'SharedTileResult' },
)

export const SharedResults = Type.Object({ tiles: Type.Array(SharedTileResult) }, { title: 'SharedResults' })

export const GivenViewerValues = Type.Object(
  { parameters: Type.Optional(described(ParameterValues, 'Values of the parameters that the viewer has changed.')) },
  { title: 'GivenViewerValues', ...closed },
)

export const GivenViewerRefresh = Type.Object(
  { ...GivenViewerValues.properties, onlyMissing: Type.Optional(Type.Boolean({ description: 'Only tiles without a stored result.' })) },
  { title: 'GivenViewerRefresh', ...closed },
)

export const ValuesQuery = Type.Object(
  { values: Type.Optional(Type.String({ description: 'Values of the changed parameters, as a JSON object.' })) },
  closed,
)

export const DownloadQuery = Type.Object({ ...ValuesQuery.properties, format: ViewerDownload }, closed)

export const BoardDownloadQuery = Type.Object(
  {
    ...ValuesQuery.properties,
    format: oneOf(viewedBoardFormats),
    tab: Type.Optional(Type.String({ description: 'The tab to draw, by default the first. A workbook has all of them.' })),
  },
  closed,
)
