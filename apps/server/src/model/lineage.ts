/**
 * *Lineage* says what a saved query reads, and what uses it. It is read from the SQL, so it is there before the first run, and it says where it
 * is not sure.
 */
export interface ReferenceLineage {
  tables: LineageTable[]
  /** The saved queries that it reads with `ref(…)`. */
  references: LinkedReference[]
  /** False if the SQL may read more, for example with a table function. */
  isComplete: boolean
  usedBy: Users
}

export interface LineageTable {
  analyticalDatabaseConfigId: string
  /** Null if the SQL names none and the table is not in the catalog. */
  schema: string | null
  name: string
  columns: string[]
  /** Whether it reads all columns with `*`. */
  readsAllColumns: boolean
}

export interface LinkedReference {
  shortId: string
  title: string
}

export interface ItemUsers {
  boards: { shortId: string; title: string }[]
  automations: { id: string; name: string }[]
}

export interface Users extends ItemUsers {
  references: LinkedReference[]
}

/** What would break if a table or column went away. */
export interface TableUsers extends ItemUsers {
  references: (LinkedReference & {
    /** False if the SQL does not say whether it reads the column. */
    isCertain: boolean
    /** The saved query through which it reads the table; null if it reads it itself. */
    through: LinkedReference | null
  })[]
}
