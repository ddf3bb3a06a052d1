import type { ItemKind } from './item.ts'

/**
 * Words:
 * - A *thread* is a conversation about a query or a board, about one tile of a board, or about a *data point* of a result.
 * - A *comment* is Markdown. It may *mention* members of the organization, written as `@[user id]`.
 * - A thread is *open* until somebody resolves it. A reply opens it again.
 */
export interface CommentThread {
  id: string
  kind: ItemKind
  tileId: string | null
  point: DataPoint | null
  createdAt: Date
  resolvedAt: Date | null
  resolvedBy: Commenter | null
  commentCount: number
  /** In the order in which they were written. Lists have only the first comment and the newest ones. */
  comments: Comment[]
}

export interface Comment {
  id: string
  text: string
  author: Commenter
  createdAt: Date
  editedAt: Date | null
  mentions: Mention[]
}

export interface Commenter {
  id: string
  name: string
}

export interface Mention extends Commenter {
  /** False for people who have left the organization. */
  isMember: boolean
}

/** A value of a result, as it was shown to the person who commented on it. It stays the same when the data changes. */
export interface DataPoint extends GivenPoint {
  /** When the run completed, ISO 8601. */
  completedAt: string
}

export interface GivenPoint {
  runId: string
  /** What identifies the row or the mark of a chart, such as its category and series. */
  keys: { column: string; value: string }[]
  column: string
  value: string
}

/** The number of threads of a query or a board. */
export interface CommentCounts {
  openCount: number
  resolvedCount: number
  /** Tiles with open threads. */
  tiles: { tileId: string; openCount: number }[]
}

export const commentLimits = {
  textCharacters: 10_000,
  /** Different people in one comment. */
  mentions: 20,
  /** Of a thread. */
  comments: 100,
  /** Of an organization. */
  threads: 10_000,
  pointKeys: 5,
  pointCharacters: 500,
} as const

export const threadFilters = ['open', 'resolved'] as const
export type ThreadFilter = (typeof threadFilters)[number]
