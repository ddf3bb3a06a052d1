import { maxPoints } from '@querypost/visualization'
import { Type } from 'typebox'
import { boardLimits, tileDisplays, tileKinds, tileStates } from '../../model/board.ts'
import { folderLimits } from '../../model/folder.ts'
import {
  closed,
  described,
  namedEnum,
  nullable,
  NullableInteger,
  NullableNumber,
  NullableText,
  NullableTimestamp,
  oneOf,
  orNull,
  ParameterDefinition,
  Timestamp,
  Uuid,
  Visualization,
} from '../schemas.ts'
import { GivenParameters, ParameterValues, ResultField } from './query-schemas.ts'

/** Boards and folders, for the published API and the web app. */
const { columns, tiles, tabs, parameters, rows, tileHeight, textCharacters } = boardLimits

const partId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['tile_7h2k'] })

export const BoardTab = Type.Object(
  { id: partId, title: Type.String({ minLength: 1, maxLength: boardLimits.titleCharacters }) },
  { title: 'BoardTab', description: 'Part of a large board.', ...closed },
)

const tileFields = {
  kind: namedEnum('TileKind', tileKinds, 'What the tile shows: the result of a query, Markdown, a heading or an image.'),
  referenceShortId: Type.Optional(
    Type.String({ description: 'The query of a `reference` tile: the `shortId` of its reference.', examples: ['k7m2p9qxwd'] }),
  ),
  text: Type.Optional(
    Type.String({
      maxLength: textCharacters,
      description: 'Markdown of a `text` tile, the words of a `heading`, the alternative text of an `image`.',
    }),
  ),
  title: Type.Optional(
    Type.String({ maxLength: boardLimits.titleCharacters, description: 'Shown instead of the title of the query.' }),
  ),
  shows: Type.Optional(described(oneOf(tileDisplays), 'How the result is shown. By default as on the query’s own page.')),
  imageId: Type.Optional(Type.String({ description: 'The image of an `image` tile.' })),
  tabId: Type.Optional(Type.String({ description: 'The tab that the tile is on. By default the first.' })),
  x: Type.Integer({ minimum: 0, maximum: columns - 1, description: `The first of its columns, from 0 to ${columns - 1}.` }),
  y: Type.Integer({ minimum: 0, maximum: rows, description: 'The first of its rows, from 0.' }),
  width: Type.Integer({ minimum: 1, maximum: columns, description: 'In columns.' }),
  height: Type.Integer({ minimum: 1, maximum: tileHeight, description: 'In rows.' }),
  parameterMapping: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Parameters of the query, each with the name of the board’s parameter that gives its value.',
      examples: [{ country: 'country' }],
    }),
  ),
  opens: Type.Optional(
    Type.Object(
      { boardShortId: Type.String(), parameter: Type.String(), column: Type.String() },
      { description: 'A click opens another board, with the value of a column as its parameter.', ...closed },
    ),
  ),
  filters: Type.Optional(
    Type.Object(
      { column: Type.String(), parameter: Type.String() },
      { description: 'A click on a category sets a parameter of this board to the value of a column.', ...closed },
    ),
  ),
}

export const Tile = Type.Object(
  { id: partId, ...tileFields },
  { title: 'Tile', description: `A part of a board, placed on ${columns} columns.`, ...closed },
)

export const GivenTile = Type.Object(
  { id: Type.Optional(described(partId, 'Left out for a new tile: then it gets one.')), ...tileFields },
  { title: 'GivenTile', description: 'A tile in a request.', ...closed },
)

const boardFields = {
  id: Type.String({ examples: ['board_6f2m'] }),
  shortId: Type.String({ description: 'Identifier of the permalink, `/b/<shortId>`. Never changes.', examples: ['b7m2p9qxwd'] }),
  permalink: Type.String({ examples: ['https://querypost.example.com/b/b7m2p9qxwd'] }),
  title: Type.String({ examples: ['Revenue'] }),
  description: described(NullableText, 'Null if there is none.'),
  folderId: described(NullableText, 'The folder it is in; null at the top.'),
}
const boardContent = {
  parameters: Type.Array(ParameterDefinition, { description: 'Values that a reader can choose.' }),
  tabs: Type.Array(BoardTab, { description: 'Empty unless the board is divided into tabs.' }),
  tiles: Type.Array(Tile),
}
const boardTimes = {
  version: Type.Integer({ minimum: 1, description: 'Increases with every change. Changes carry it as `If-Match`.', examples: [3] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const PublishedBoard = Type.Object(
  { ...boardFields, ...boardContent, ...boardTimes },
  { title: 'Board', description: 'A page of tiles over queries.' },
)

export const DeletedBoard = Type.Object(
  {
    id: Type.String(),
    shortId: Type.String({ description: 'Its permalink now returns 404.' }),
    title: Type.String(),
    deletedAt: Timestamp,
  },
  { title: 'DeletedBoard', description: 'The deleted board.' },
)

const Person = Type.Object({ id: Type.String(), name: Type.String() })

export const ReferenceSummary = Type.Object(
  {
    shortId: Type.String(),
    title: Type.String(),
    description: NullableText,
    visualization: Type.Optional(Visualization),
    parameters: Type.Array(ParameterDefinition),
    queryId: Uuid,
    analyticalDatabaseConfigId: described(NullableText, 'Null while the reference has no query.'),
  },
  { title: 'ReferenceSummary', description: 'What a tile needs to know about its query.' },
)

const ofPages = { createdBy: orNull(Person) }

export const Board = Type.Object(
  {
    ...boardFields,
    ...boardContent,
    ...boardTimes,
    ...ofPages,
    references: Type.Array(ReferenceSummary, {
      description: 'The queries of its tiles. A query that was deleted is missing here; its tiles are still listed.',
    }),
  },
  { title: 'Board', description: 'A page of tiles over queries.' },
)

export const ListedBoard = Type.Object(
  { ...boardFields, tileCount: Type.Integer(), tags: Type.Array(Type.String()), ...boardTimes, ...ofPages },
  { title: 'ListedBoard', description: 'A board in a list.' },
)

const title = Type.String({ minLength: 1, maxLength: boardLimits.titleCharacters, examples: ['Revenue'] })
const givenContent = {
  description: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: boardLimits.descriptionCharacters }),
  ),
  folderId: Type.Optional(described(NullableText, 'Null for the top.')),
  parameters: Type.Optional({ ...GivenParameters, maxItems: parameters }),
  tabs: Type.Optional(Type.Array(BoardTab, { maxItems: tabs })),
  tiles: Type.Optional(Type.Array(GivenTile, { maxItems: tiles })),
}

export const NewBoard = Type.Object({ title, ...givenContent }, { title: 'NewBoard', description: 'A board to create. Only the title is required.', ...closed })
export const BoardChange = Type.Object({ title: Type.Optional(title), ...givenContent }, { title: 'BoardChange', description: 'The fields of a board to change.', ...closed })

export const BoardVersion = Type.Object(
  {
    number: Type.Integer(),
    title: Type.String(),
    tileCount: Type.Integer(),
    restoredNumber: described(NullableInteger, 'The version that was restored with this one.'),
    isDeletion: Type.Boolean({ description: 'Whether the board was deleted with this version.' }),
    changedAt: Timestamp,
    changedBy: Person,
    isCurrent: Type.Boolean(),
  },
  { title: 'BoardVersion', description: 'A saved state of a board.' },
)

export const BoardVersionInFull = Type.Object(
  { ...BoardVersion.properties, description: NullableText, ...boardContent },
  { title: 'BoardVersionInFull', description: 'A saved state of a board, with its content.' },
)

export const TileResult = Type.Object(
  {
    tileId: Type.String(),
    status: namedEnum(
      'TileState',
      tileStates,
      '`ready`: the result is stored. `running`: a run with these values is waiting or running. `failed`: the newest run with these values failed, or the tile cannot be run. `expired`: the result is no longer stored. `missing`: it was never run with these values.',
    ),
    runId: described(
      NullableText,
      'The newest run with the tile’s values whose result is stored, even if a newer one is running or has failed.',
    ),
    completedAt: described(NullableTimestamp, 'When that run completed.'),
    failureReason: described(NullableText, 'Why it failed, as text for people.'),
    runningRunId: described(
      NullableText,
      'The run with these values that is pending or running. Null while it waits for another run of the query.',
    ),
    runningSince: described(NullableTimestamp, 'When that run was requested.'),
    progress: described(NullableNumber, 'Percentage of the work before the first row that is done; null unless the run is running.'),
    rowCountSoFar: described(NullableInteger, 'Number of rows written so far; null unless the run is running.'),
    isStopped: Type.Boolean({
      description: 'True if a person stopped the newest run with these values. The status is then `failed`, unless there is an earlier result.',
    }),
  },
  { title: 'TileResult', description: 'The state of one tile that shows a query.' },
)

export const BoardResults = Type.Object(
  { tiles: Type.Array(TileResult, { description: 'One for each `reference` tile, in the order of the tiles.' }) },
  { title: 'BoardResults', description: 'Which results a board shows with some values of its parameters.' },
)

const givenParameters = Type.Optional(
  described(ParameterValues, 'Values of the board’s parameters, by name. Those left out have their defaults.'),
)

export const GivenBoardValues = Type.Object({ parameters: givenParameters }, {
  title: 'GivenBoardValues',
  description: 'Values of a board’s parameters.',
  ...closed,
})

export const GivenRefresh = Type.Object(
  {
    parameters: givenParameters,
    tileIds: Type.Optional(Type.Array(Type.String(), { maxItems: tiles, description: 'Only these tiles. By default all.' })),
    onlyMissing: Type.Optional(Type.Boolean({ description: 'Only tiles without a stored result.' })),
  },
  { title: 'GivenRefresh', description: 'Which tiles to run, and with which values.', ...closed },
)

const TileSize = Type.Object(
  { tileId: Type.String(), maxRows: Type.Integer({ minimum: 100, maximum: maxPoints, description: 'How many rows the tile has room for.' }) },
  closed,
)

export const GivenTileSizes = Type.Object(
  { parameters: givenParameters, tiles: Type.Array(TileSize, { minItems: 1, maxItems: tiles }) },
  { title: 'GivenTileSizes', description: 'Tiles and their sizes, and the values of the board’s parameters.', ...closed },
)

const ShortResult = Type.Object(
  {
    fields: Type.Array(ResultField),
    rows: Type.Array(Type.Array(Type.Unsafe<unknown>({}))),
    rowCount: Type.Integer({ description: 'The number of all rows.' }),
  },
  { title: 'ShortResult', description: 'The rows that the chart draws, or all rows of a short result.' },
)

export const ShortResults = Type.Object(
  {
    ...BoardResults.properties,
    shortResults: Type.Array(Type.Object({ tileId: Type.String(), runId: Type.String(), result: ShortResult }), {
      description: 'Of the given tiles. Those that need their whole result, or have none, are left out.',
    }),
  },
  { title: 'ShortResults', description: 'Which results a board shows with some values of its parameters, and the rows of some tiles.' },
)

export const BoardImage = Type.Object(
  { id: Type.String(), contentType: Type.String(), sizeBytes: Type.Integer() },
  { title: 'BoardImage', description: 'An uploaded image for tiles.' },
)

export const GivenBoardDescription = Type.Object(
  { description: Type.String({ minLength: 1, maxLength: 2_000, description: 'What the board should show, in plain words.' }) },
  { title: 'GivenBoardDescription', ...closed },
)

export const BoardDraft = Type.Object(
  {
    title: Type.String(),
    description: NullableText,
    ...boardContent,
    references: Type.Array(ReferenceSummary, { description: 'The queries of its tiles.' }),
    notes: Type.Array(Type.String(), { description: 'What could not be found or done.' }),
  },
  { title: 'BoardDraft', description: 'A board that is not saved yet.' },
)

export const Folder = Type.Object(
  {
    id: Type.String({ examples: ['folder_3k9x'] }),
    name: Type.String({ examples: ['Finance'] }),
    parentId: described(NullableText, 'The folder it is in; null at the top.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Folder', description: 'A folder of boards and queries.' },
)

const folderName = Type.String({ minLength: 1, maxLength: folderLimits.nameCharacters, examples: ['Finance'] })
const parentId = Type.Optional(nullable(Type.String({ description: 'The folder to put it in; null for the top.' })))

export const NewFolder = Type.Object({ name: folderName, parentId }, {
  title: 'NewFolder',
  description: 'A folder to create.',
  ...closed,
})
export const FolderChange = Type.Object({ name: Type.Optional(folderName), parentId }, { title: 'FolderChange', description: 'The new name or place of a folder.', ...closed })
