import { CommandError } from '../command.ts'

/** The short id in a permalink, or the short id itself. */
export function readBoardId(operands: string[]): string {
  const [given, ...rest] = operands
  if (given === undefined || rest.length > 0) {
    throw new CommandError(2, 'Name one board by its permalink or short id. `querypost board list` shows the permalinks.')
  }
  const shortId = /\/b\/([^/?#]+)/.exec(given)?.[1] ?? given
  if (/^\w{4,40}$/.test(shortId)) return shortId
  throw new CommandError(2, `${JSON.stringify(given)} is not the permalink or short id (b7Rm2QwXn4) of a board.`)
}
