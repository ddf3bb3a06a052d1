import type { Caller } from '../../model/caller.ts'
import {
  type CommentCounts,
  commentLimits,
  type CommentThread,
  type DataPoint,
  type GivenPoint,
  type ThreadFilter,
} from '../../model/comment.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Tx } from '../../store/db.ts'
import { deleteComment, findComment, insertComment, setCommentText, type StoredComment } from '../../store/comments/comments-table.ts'
import { findThread, readThreadsPage } from '../../store/comments/read-threads.ts'
import {
  countThreads,
  deleteThread,
  insertThread,
  lockThread,
  type LockedThread,
  readCommentCounts,
  setResolved,
} from '../../store/comments/threads-table.ts'
import { recordAction } from '../audit/record-action.ts'
import { getBoard } from '../boards/boards.ts'
import { isId, newId, newOrderedId } from '../ids.ts'
import { getItem, type ItemAddress, type ItemsDeps } from '../items/items.ts'
import { checkLongText } from '../knowledge/check-knowledge.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage } from '../pagination/list-page.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { getRun } from '../runs/read-runs.ts'
import { notifyOfComment, saveMentions } from './notify-of-comment.ts'

export type CommentsDeps = ItemsDeps

/** The open or resolved threads of a query or board, or of one tile, newest first. Each has its first comment and the newest ones. */
export async function listThreads(
  deps: CommentsDeps & { listCursors: ListCursorCodec },
  caller: Caller,
  { kind, shortId, show = 'open', tileId, ...request }: ItemAddress & PageRequest & { show?: ThreadFilter; tileId?: string },
): Promise<Page<CommentThread>> {
  const { organizationId } = caller
  const { id: itemId } = await getItem(deps, caller, { kind, shortId })
  return readListPage(deps, {
    place: { organizationId, list: `comment threads of ${itemId}`, filter: JSON.stringify([show, tileId]) },
    request,
    read: async (page) => ({
      rows: await readThreadsPage(deps.db, { organizationId, kind, itemId }, { show, ...(tileId !== undefined && { tileId }), ...page }),
    }),
  })
}

export async function countComments(deps: CommentsDeps, caller: Caller, address: ItemAddress): Promise<CommentCounts> {
  const { id: itemId } = await getItem(deps, caller, address)
  return readCommentCounts(deps.db, { organizationId: caller.organizationId, kind: address.kind, itemId })
}

/** A thread with all its comments. */
export async function getThread(deps: Pick<CommentsDeps, 'db'>, caller: Caller, threadId: string): Promise<CommentThread> {
  const thread = isId(threadId) ? await findThread(deps.db, { organizationId: caller.organizationId, threadId }) : undefined
  if (!thread) throw noSuchThread(threadId)
  return thread
}

export interface GivenThread {
  text: string
  /** A tile of the board. */
  tileId?: string
  point?: GivenPoint
}

/** Begins a thread with its first comment. */
export async function startThread(
  deps: CommentsDeps,
  caller: Caller,
  { kind, shortId, ...given }: ItemAddress & GivenThread,
): Promise<CommentThread> {
  const { organizationId } = caller
  const text = checkComment(given.text)
  const item = await getItem(deps, caller, { kind, shortId })
  if (given.tileId !== undefined) await requireTile(deps, caller, { kind, shortId, tileId: given.tileId })
  const point = given.point ? await checkPoint(deps, caller, given.point) : null
  const id = newId(deps.random, 'thread')
  return deps.db.transaction().execute(async (tx) => {
    const count = await countThreads(tx, organizationId)
    if (count >= commentLimits.threads) {
      const limit = count.toLocaleString('en-US')
      throw new Refusal('invalid_request', `Your organization has ${limit} threads of comments, the maximum. Delete some first.`)
    }
    const tileId = given.tileId ?? null
    await insertThread(tx, { id, organizationId, kind, itemId: item.id, tileId, point, now: deps.clock.now() })
    const thread: LockedThread = { id, kind, shortId, title: item.title, isResolved: false, commentCount: 0 }
    await addComment({ ...deps, tx }, caller, thread, text)
    return (await findThread(tx, { organizationId, threadId: id }))!
  })
}

/** Adds a comment. A resolved thread is open again. */
export async function reply(
  deps: CommentsDeps,
  caller: Caller,
  input: { threadId: string; text: string },
): Promise<CommentThread> {
  const text = checkComment(input.text)
  return deps.db.transaction().execute(async (tx) => {
    const thread = await lock(tx, caller, input.threadId)
    if (thread.commentCount >= commentLimits.comments) {
      throw new Refusal('invalid_request', `The thread has ${thread.commentCount} comments, the maximum. Start another one.`)
    }
    await addComment({ ...deps, tx }, caller, thread, text)
    if (thread.isResolved) await setResolved(tx, { threadId: thread.id, resolvedBy: null, now: deps.clock.now() })
    return getThread({ db: tx }, caller, thread.id)
  })
}

type TxDeps = Omit<CommentsDeps, 'db'> & { tx: Tx }

async function addComment(deps: TxDeps, caller: Caller, thread: LockedThread, text: string): Promise<void> {
  const { tx, clock } = deps
  const { organizationId, userId } = caller
  const id = newOrderedId(deps, 'comment')
  await insertComment(tx, { id, threadId: thread.id, organizationId, text, createdBy: userId, now: clock.now() })
  const mentioned = await saveMentions(tx, caller, { commentId: id, text })
  await notifyOfComment(deps, caller, { thread, text, mentioned, isReply: true })
}

/** Anyone may resolve a thread and open it again. */
export async function changeThread(
  deps: CommentsDeps,
  caller: Caller,
  { threadId, isResolved }: { threadId: string; isResolved: boolean },
): Promise<CommentThread> {
  return deps.db.transaction().execute(async (tx) => {
    const { id } = await lock(tx, caller, threadId)
    await setResolved(tx, { threadId: id, resolvedBy: isResolved ? caller.userId : null, now: deps.clock.now() })
    return getThread({ db: tx }, caller, id)
  })
}

/** Only the author edits a comment. People whom it did not mention before are notified. */
export async function editComment(
  deps: CommentsDeps,
  caller: Caller,
  input: { commentId: string; text: string },
): Promise<CommentThread> {
  const text = checkComment(input.text)
  return deps.db.transaction().execute(async (tx) => {
    const { comment, thread } = await lockComment(tx, caller, input.commentId)
    if (comment.author.id !== caller.userId) throw new Refusal('forbidden', 'Only its author can edit a comment. Reply to it instead.')
    if (text !== comment.text) {
      const mentioned = await saveMentions(tx, caller, { commentId: comment.id, text })
      await setCommentText(tx, { commentId: comment.id, text, now: deps.clock.now() })
      await notifyOfComment({ ...deps, tx }, caller, { thread, text, mentioned, isReply: false })
    }
    return getThread({ db: tx }, caller, thread.id)
  })
}

/** Authors delete their own comments, admins any. The last comment takes its thread with it. */
export async function removeComment(deps: CommentsDeps, caller: Caller, commentId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { comment, thread } = await lockComment(tx, caller, commentId)
    if (comment.author.id !== caller.userId && caller.role !== 'admin') {
      throw new Refusal('forbidden', 'Only its author or an admin can delete a comment.')
    }
    if (thread.commentCount === 1) await deleteThread(tx, thread.id)
    else await deleteComment(tx, comment.id)
    await recordAction({ ...deps, tx }, caller, {
      action: 'comment.deleted',
      subject: { type: 'comment', id: comment.id, name: thread.title },
      details: { author: comment.author.name, [thread.kind]: thread.shortId },
    })
  })
}

async function lock(tx: Tx, { organizationId }: Caller, threadId: string): Promise<LockedThread> {
  const thread = isId(threadId) ? await lockThread(tx, { organizationId, threadId }) : undefined
  if (!thread) throw noSuchThread(threadId)
  return thread
}

/** Locks the thread first and reads the comment then: somebody may have deleted it in between. */
async function lockComment(
  tx: Tx,
  { organizationId }: Caller,
  commentId: string,
): Promise<{ comment: StoredComment; thread: LockedThread }> {
  const find = () => findComment(tx, { organizationId, commentId })
  const seen = isId(commentId) ? await find() : undefined
  const thread = seen && (await lockThread(tx, { organizationId, threadId: seen.threadId }))
  const comment = thread && (await find())
  if (!comment) throw new Refusal('comment_not_found', `There is no comment ${JSON.stringify(commentId)}. It may have been deleted.`)
  return { comment, thread }
}

function checkComment(given: string): string {
  const text = checkLongText({ path: '/text', text: given, maxCharacters: commentLimits.textCharacters })
  if (text === '') throw badInput('/text', 'must not be empty')
  return text
}

async function requireTile(deps: CommentsDeps, caller: Caller, at: ItemAddress & { tileId: string }): Promise<void> {
  const tiles = at.kind === 'board' ? (await getBoard(deps, caller, at.shortId)).tiles : []
  if (!tiles.some(({ id }) => id === at.tileId)) throw badInput('/tileId', 'is not a tile of this board')
}

/** The time comes from the run, so that a comment says truly when its value was current. */
async function checkPoint(deps: CommentsDeps, caller: Caller, point: GivenPoint): Promise<DataPoint> {
  const { status, completedAt } = await getRun(deps, caller, point.runId)
  if (status !== 'completed' || !completedAt) throw badInput('/point/runId', 'must be a run that has completed')
  return { ...point, completedAt: completedAt.toISOString() }
}

const noSuchThread = (threadId: string) =>
  new Refusal('comment_thread_not_found', `There is no thread ${JSON.stringify(threadId)}. Its comments may have been deleted.`)
