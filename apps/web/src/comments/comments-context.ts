import { createContext, useContext } from 'react'
import type { CommentCounts, CommentedItem, GivenPoint } from '../api/comments.ts'

/** What a new thread is about, beside the query or board. */
export interface CommentAnchor {
  tileId?: string
  point?: GivenPoint
}

/** What the panel shows: all threads, those of a tile, or a single one that a link leads to. */
export interface CommentsView {
  tileId?: string
  threadId?: string
}

/** The comments of the page's query or board. */
export interface CommentsOfPage {
  item: CommentedItem
  /** Undefined until they are known. */
  counts: CommentCounts | undefined
  isOpen: boolean
  view: CommentsView
  /** The new comment that is being written; null if there is none. */
  writing: { anchor: CommentAnchor } | null
  /** Texts that have not been sent, by form. They are kept while the panel is closed. */
  drafts: Map<string, string>
  show(view: CommentsView): void
  write(anchor: CommentAnchor): void
  /** Shows the list that has the posted thread, if any. The panel stays closed if somebody has closed it. */
  stopWriting(posted?: CommentAnchor): void
  close(): void
  /** The title of a tile; undefined if the board no longer has it. */
  titleOfTile(tileId: string): string | undefined
}

export const CommentsContext = createContext<CommentsOfPage | null>(null)

/** Null where nothing can be commented on, as in an editor. */
export const useComments = (): CommentsOfPage | null => useContext(CommentsContext)
