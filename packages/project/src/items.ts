/**
 * Words:
 * - An *item* is one thing of an organization that has a file: a folder, query, board, automation, metric or question set.
 * - Its *content* is everything that people write about it. Databases are named, and a metric's owner is an e-mail address.
 * - A *link* in a content names another item: by its *path* in files, by its id on a service. `links.ts` translates between them.
 * - The *hash* of a content with ids tells whether the item has changed.
 */
export const itemKinds = ['folder', 'query', 'board', 'automation', 'metric', 'question_set'] as const
export type ItemKind = (typeof itemKinds)[number]

export interface Schedule {
  cron: string
  timeZone: string
}

export interface Parameter {
  name: string
  type: string
  displayName?: string
  defaultValue?: string
  description?: string
  isList?: boolean
  options?: {
    values?: { value: string; label?: string }[]
    /** A link to a query. */
    query?: string
    valueColumn?: string
    labelColumn?: string
    dependsOn?: string[]
  }
}

export interface FolderContent {
  name: string
  /** A link to the folder that it is in. */
  folder?: string
}

export interface QueryContent {
  title: string
  description?: string
  folder?: string
  database: string
  freshForSeconds?: number
  parameters?: Parameter[]
  visualization?: { type: string; [setting: string]: unknown }
  sql: string
}

/** Shows what the first field names. */
export interface Tile {
  query?: string
  text?: string
  heading?: string
  /** The id of an image. */
  image?: string
  /** The alternative text of an image. */
  alt?: string
  title?: string
  shows?: string
  place: { x: number; y: number; width: number; height: number }
  /** Parameters of the query, each with the board's parameter that gives its value. */
  parameters?: Record<string, string>
  opens?: { board: string; parameter: string; column: string }
  filters?: { column: string; parameter: string }
}

/** With `tabs`, all tiles are in them. */
export interface BoardContent {
  title: string
  description?: string
  folder?: string
  parameters?: Parameter[]
  tabs?: { title: string; tiles?: Tile[] }[]
  tiles?: Tile[]
}

export interface AutomationContent {
  name: string
  agent?: string
  enabled?: boolean
  strict?: boolean
  schedule?: Schedule
  queries?: string[]
  condition?: { query: string; kind: string; [field: string]: unknown }
  instructions: string
}

/** Defined by a query, or by SQL for a database. */
export interface MetricContent {
  name: string
  unit?: string
  synonyms?: string[]
  /** An e-mail address. */
  owner?: string
  description?: string
  query?: string
  database?: string
  sql?: string
}

export interface TestQuestion {
  question: string
  database: string
  isOrdered?: boolean
  tolerance?: number
  expectedSql?: string
  expectedRows?: unknown[][]
}

export interface QuestionSetContent {
  name: string
  schedule?: Schedule
  questions?: TestQuestion[]
}

export interface Contents {
  folder: FolderContent
  query: QueryContent
  board: BoardContent
  automation: AutomationContent
  metric: MetricContent
  question_set: QuestionSetContent
}

/** An item of one of the kinds, with `Extra` fields. */
export type ItemWith<Extra> = { [Kind in ItemKind]: { kind: Kind; content: Contents[Kind] } & Extra }[ItemKind]

/** As a service has it: links are ids. */
export type StoredItem = ItemWith<{ id: string; hash: string; /** Of the file that manages it. */ managedUrl?: string | null }>

/** As a file has it: links are paths. */
export type FileItem = ItemWith<{ path: string }>

export const nameOf = (content: Contents[ItemKind]): string => ('title' in content ? content.title : content.name)

export const kindWords: Record<ItemKind, string> = {
  folder: 'folder',
  query: 'query',
  board: 'board',
  automation: 'automation',
  metric: 'metric',
  question_set: 'question set',
}
