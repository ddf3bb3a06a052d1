/**
 * The *catalog* is a copy of the databases' schemas, so that the tables relevant to a question are found without asking thousands of
 * tables. It is updated whenever a schema is read, and before a question if it is older than an hour.
 */
export interface CatalogTable {
  databaseId: string
  schema: string
  name: string
  kind: 'table' | 'view'
  rowEstimate: number | null
  /** The database's own comment. */
  comment: string | null
  columns: CatalogColumn[]
  /** How many columns the table has. Very wide tables are stored with their first columns only. */
  columnCount: number
}

export interface CatalogColumn {
  name: string
  type: string
  comment: string | null
}

/** A table as it is stored, with the words by which it is found. */
export interface CatalogRow extends CatalogTable {
  /** Changes whenever anything else in the row does. */
  hash: string
  /** As the text of a `tsvector`. */
  words: string
}

export const catalogLimits = {
  /** Per database. Further tables, in alphabetical order, are left out. */
  tables: 5_000,
  /** Per table. */
  columns: 500,
  refreshAfterMs: 3600_000,
  /** A database that could not be read is tried again after this time. */
  retryAfterMs: 10 * 60_000,
} as const
