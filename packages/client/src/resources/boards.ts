import { TimeoutError } from '../errors.ts'
import type { Board, BoardResults, DeletedBoard } from '../generated/schemas.ts'
import { makeLimit } from '../limit.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type Input, requestFor, type Version } from '../operation.ts'
import { pollUntil } from '../poll.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

export type NewBoard = Input<'boards.create'>['body']
export type BoardChanges = NonNullable<Input<'boards.update'>['body']>
export type BoardValues = NonNullable<Input<'boards.results'>['body']>
export type BoardRefresh = NonNullable<Input<'boards.refresh'>['body']>

/** `version`: the one that you have read. If the board has changed since, the call rejects with `ConflictError`. */
export interface BoardVersionOptions extends CallOptions {
  version: Version
}

export type BoardImageOptions = NonNullable<Input<'boards.image'>['query']>

export interface RefreshBoardAndWaitOptions extends CallOptions {
  /** Called with the state of all tiles at every poll: first when the runs are started, last when none is running. */
  onResults?(results: BoardResults): void
}

/** Pages of tiles over queries. */
export interface Boards {
  /** All of them, newest first: `for await (const board of client.boards.list())`. */
  list(options?: ListOptions): List<Board>
  get(shortId: string, options?: CallOptions): Promise<Board>
  create(input: NewBoard, options?: WriteOptions): Promise<Board>
  /** Changes the given fields. */
  update(shortId: string, changes: BoardChanges, options: BoardVersionOptions): Promise<Board>
  delete(shortId: string, options: BoardVersionOptions): Promise<DeletedBoard>
  /** Starts the runs of its tiles without waiting for them. */
  refresh(shortId: string, input?: BoardRefresh, options?: WriteOptions): Promise<BoardResults>
  /** Starts the runs of its tiles and waits until none is running. A tile that fails says so in its state. */
  refreshAndWait(shortId: string, input?: BoardRefresh, options?: RefreshBoardAndWaitOptions): Promise<BoardResults>
  /** The state of its tiles, and the run whose result each shows. Runs nothing. */
  results(shortId: string, values?: BoardValues, options?: CallOptions): Promise<BoardResults>
  /** A PNG image with its stored results. */
  image(shortId: string, options?: CallOptions & BoardImageOptions): Promise<Uint8Array>
}

export function makeBoards(transport: Transport): Boards {
  const results: Boards['results'] = (shortId, body = {}, options) =>
    callOperation(transport, 'boards.results', { params: { shortId }, body }, { ...options, isIdempotent: true })
  const refresh: Boards['refresh'] = (shortId, body = {}, options) =>
    callOperation(transport, 'boards.refresh', { params: { shortId }, body }, options)
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'boards.list', { query }, options) }),
    get: (shortId, options) => callOperation(transport, 'boards.get', { params: { shortId } }, options),
    create: (body, options) => callOperation(transport, 'boards.create', { body }, options),
    update: (shortId, body, options) => callOperation(transport, 'boards.update', { params: { shortId }, body }, options),
    delete: (shortId, options) => callOperation(transport, 'boards.delete', { params: { shortId } }, options),
    refresh,
    async refreshAndWait(shortId, input = {}, options = {}) {
      const { signal, timeoutMs, onResults } = options
      const message = `Some tiles did not finish within ${timeoutMs} ms. They are still running: read the results again.`
      const onTimeout = (ms: number) => new TimeoutError({ message, timeoutMs: ms })
      const limit = makeLimit({ clock: transport.clock, timeoutMs, signal, onTimeout })
      const within = { signal: limit.signal }
      const ended = (state: BoardResults) => {
        onResults?.(state)
        return isRunning(state) ? undefined : state
      }
      try {
        const { parameters } = input
        const started = ended(await refresh(shortId, input, within))
        if (started) return started
        const read = () => results(shortId, parameters && { parameters }, within)
        return await pollUntil(transport, limit.signal, async () => ended(await read()))
      } finally {
        limit.end()
      }
    },
    results,
    image: (shortId, { tab, parameters, ...options } = {}) => {
      // A parameter is a search parameter of its own, as in the board's URL. An empty list is an empty text.
      const values = Object.entries(parameters ?? {}).map(([name, value]) => [name, value.length === 0 ? '' : value] as const)
      const query = { ...Object.fromEntries(values), ...(tab !== undefined && { tab }) }
      const request = requestFor('boards.image', { params: { shortId }, query })
      return transport.send({ ...request, headers: { accept: 'image/png' } }, options, readBytes)
    },
  }
}

const readBytes = async (response: Response) => new Uint8Array(await response.arrayBuffer())

const isRunning = ({ tiles }: BoardResults) => tiles.some(({ status }) => status === 'running')
