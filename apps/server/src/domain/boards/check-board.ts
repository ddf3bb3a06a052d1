import { boardLimits, type BoardContent, type Tile, type TileKind } from '../../model/board.ts'
import { faultsOfDefinitions } from '../parameters/check-definitions.ts'
import { isParameterName } from '../parameters/placeholder.ts'
import { Refusal, type RefusalDetail } from '../refusal.ts'

/** What tiles may refer to. */
export interface KnownParts {
  referenceShortIds: ReadonlySet<string>
  imageIds: ReadonlySet<string>
  boardShortIds: ReadonlySet<string>
}

type Fault = RefusalDetail

/** Rejects a board that is not valid, with all its faults. */
export function checkBoard(content: BoardContent, known: KnownParts): void {
  const faults = faultsOfBoard(content, known)
  const first = faults[0]
  if (!first) return
  throw new Refusal('invalid_request', `The board is not valid: ${first.path} ${first.message}. Correct it and try again.`, faults)
}

/** Everything that is wrong with a board, each with its path in the request. */
export function faultsOfBoard(content: BoardContent, known: KnownParts): Fault[] {
  const { title, description, parameters, tabs, tiles } = content
  const faults: Fault[] = []
  const fault = (path: string, message: string) => faults.push({ path, message })

  const { titleCharacters, descriptionCharacters, contentCharacters } = boardLimits
  if (title.trim() === '') fault('/title', 'must not be empty')
  if (title.length > titleCharacters) fault('/title', `must have at most ${titleCharacters} characters`)
  if ((description ?? '').length > descriptionCharacters) fault('/description', `must have at most ${descriptionCharacters} characters`)
  for (const part of ['parameters', 'tabs', 'tiles'] as const) {
    if (content[part].length > boardLimits[part]) fault(`/${part}`, `must be at most ${boardLimits[part]}, not ${content[part].length}`)
  }
  // The checks below compare tiles with one another.
  if (faults.length > 0) return faults

  faults.push(...faultsOfDefinitions(parameters))
  tabs.forEach((tab, at) => {
    if (tabs.findIndex(({ id }) => id === tab.id) < at) fault(`/tabs/${at}/id`, `repeats the id ${JSON.stringify(tab.id)}`)
    if (tab.title.trim() === '') fault(`/tabs/${at}/title`, 'must not be empty')
  })
  tiles.forEach((tile, at) => {
    if (tiles.findIndex(({ id }) => id === tile.id) < at) fault(`/tiles/${at}/id`, `repeats the id ${JSON.stringify(tile.id)}`)
    faults.push(...faultsOfTile(tile, content, known).map(({ path, message }) => ({ path: `/tiles/${at}${path}`, message })))
    const other = tiles.findIndex((earlier, earlierAt) => earlierAt < at && overlap(earlier, tile, content))
    if (other >= 0) fault(`/tiles/${at}`, `overlaps tile ${other}`)
  })
  const size = JSON.stringify({ parameters, tabs, tiles }).length
  if (size > contentCharacters) fault('/tiles', `make the board too large: ${size} characters, at most ${contentCharacters}`)
  return faults
}

/** The fields that only tiles of some kinds have, and whether those need them. */
const fieldsOfKinds: { field: keyof Tile; kinds: readonly TileKind[]; isRequired: boolean }[] = [
  { field: 'referenceShortId', kinds: ['reference'], isRequired: true },
  { field: 'imageId', kinds: ['image'], isRequired: true },
  { field: 'text', kinds: ['text', 'heading', 'image'], isRequired: false },
  { field: 'shows', kinds: ['reference'], isRequired: false },
  { field: 'title', kinds: ['reference'], isRequired: false },
  { field: 'parameterMapping', kinds: ['reference'], isRequired: false },
  { field: 'opens', kinds: ['reference'], isRequired: false },
  { field: 'filters', kinds: ['reference'], isRequired: false },
]

function faultsOfTile(tile: Tile, { parameters, tabs }: BoardContent, known: KnownParts): Fault[] {
  const faults: Fault[] = []
  const fault = (path: string, message: string) => faults.push({ path, message })
  const isParameter = (name: string) => parameters.some((parameter) => parameter.name === name)

  for (const { field, kinds, isRequired } of fieldsOfKinds) {
    const isGiven = tile[field] !== undefined
    const isFitting = kinds.includes(tile.kind)
    if (isGiven && !isFitting) fault(`/${field}`, `does not fit a tile of the kind ${tile.kind}`)
    if (!isGiven && isFitting && isRequired) fault(`/${field}`, `is required for a tile of the kind ${tile.kind}`)
  }
  const { referenceShortId, imageId, text, tabId, parameterMapping, opens, filters } = tile
  if (referenceShortId !== undefined && !known.referenceShortIds.has(referenceShortId)) {
    fault('/referenceShortId', `is not a query of your organization: ${JSON.stringify(referenceShortId)}`)
  }
  if (imageId !== undefined && !known.imageIds.has(imageId)) fault('/imageId', `is not an uploaded image: ${JSON.stringify(imageId)}`)
  if ((text ?? '').length > boardLimits.textCharacters) fault('/text', `must have at most ${boardLimits.textCharacters} characters`)
  if (tabId !== undefined && !tabs.some(({ id }) => id === tabId)) fault('/tabId', `is not a tab of the board: ${JSON.stringify(tabId)}`)
  if (tile.x + tile.width > boardLimits.columns) {
    fault('/width', `must be at most ${boardLimits.columns - tile.x} at x = ${tile.x}: a board has ${boardLimits.columns} columns`)
  }
  for (const [name, parameter] of Object.entries(parameterMapping ?? {})) {
    if (!isParameterName(name)) fault('/parameterMapping', `names ${JSON.stringify(name)}, which cannot be a parameter`)
    if (!isParameter(parameter)) fault(`/parameterMapping/${name}`, `is not a parameter of the board: ${JSON.stringify(parameter)}`)
  }
  if (opens && !known.boardShortIds.has(opens.boardShortId)) {
    fault('/opens/boardShortId', `is not a board of your organization: ${JSON.stringify(opens.boardShortId)}`)
  }
  if (filters && !isParameter(filters.parameter)) {
    fault('/filters/parameter', `is not a parameter of the board: ${JSON.stringify(filters.parameter)}`)
  }
  return faults
}

/** Whether two tiles are on the same tab and share a cell of the grid. */
function overlap(one: Tile, other: Tile, { tabs }: BoardContent): boolean {
  const tabOf = (tile: Tile) => tile.tabId ?? tabs[0]?.id
  return (
    tabOf(one) === tabOf(other) &&
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}
