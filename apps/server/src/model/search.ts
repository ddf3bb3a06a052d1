/** What a search finds, in the order in which equally good matches are shown. */
export const foundKinds = ['board', 'query', 'automation', 'chat', 'table', 'column'] as const
export type FoundKind = (typeof foundKinds)[number]

export interface FoundItem {
  kind: FoundKind
  title: string
  description: string | null
  /** The short id of a board, a query or a chat; the id of an automation; the id of the database of a table or a column. */
  id: string
  /** The table, with its schema, of a table or a column. */
  table: string | null
  /** Whether it is a verified query. */
  isVerified: boolean
}
