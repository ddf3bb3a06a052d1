import { Type } from 'typebox'
import * as boards from '../../../domain/boards/boards.ts'
import type { Board } from '../../../model/board.ts'
import { completeBoard } from '../../given-board.ts'
import { BoardChange, NewBoard } from '../../schemas/board-schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { shown } from '../mcp-texts.ts'
import { BoardShortId, closed, inputOf, integer, text, Version } from '../shapes.ts'
import { creates, defineTool, replaces } from '../tool.ts'

const SavedAnswer = Type.Object({ shortId: text, title: text, version: integer, tileIds: Type.Array(text), url: text })

const present = ({ shortId, title, version, tiles }: Board, place: { baseUrl: string }) => ({
  shortId,
  title: shown(title, bounds.listedText),
  version,
  tileIds: tiles.map(({ id }) => id),
  url: linksAt(place).board(shortId),
})

export const createBoard = defineTool({
  name: 'create_board',
  scope: 'write:boards',
  title: 'Create a board',
  description: 'Creates a board with its tiles, on a grid of 12 columns. Tiles must not overlap, and their references must exist.',
  hints: creates,
  input: inputOf({}, NewBoard),
  output: SavedAnswer,
  call: async ({ services, caller }, input) => present(await boards.createBoard(services, caller, completeBoard(input)), services),
})

export const updateBoard = defineTool({
  name: 'update_board',
  scope: 'write:boards',
  title: 'Change a board',
  description:
    'Changes the given fields of a board; tiles, tabs and parameters replace all earlier ones. read_board shows its version. People can restore earlier versions.',
  hints: replaces,
  input: inputOf({ shortId: BoardShortId, version: Version }, BoardChange),
  output: SavedAnswer,
  call: async ({ services, caller }, { shortId, version, ...edit }) =>
    present(await boards.editBoard(services, caller, { shortId, version }, completeBoard(edit)), services),
})

export const deleteBoard = defineTool({
  name: 'delete_board',
  scope: 'write:boards',
  title: 'Delete a board',
  description: 'Deletes a board. The queries of its tiles are kept. People can restore it for 30 days.',
  hints: replaces,
  input: Type.Object({ shortId: BoardShortId, version: Version }, closed),
  output: Type.Object({ shortId: text, title: text }),
  async call({ services, caller }, key) {
    const { shortId, title } = await boards.deleteBoard(services, caller, key)
    return { shortId, title: shown(title, bounds.listedText) }
  },
})
