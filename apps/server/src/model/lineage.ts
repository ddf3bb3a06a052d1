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

/** What a board or an automation reads. */
export interface ItemLineage {
  /** The saved queries that it shows or looks at, then those that these read with `ref(…)`. */
  references: ReadReference[]
  /** Of all these saved queries. */
  tables: LineageTable[]
  /** False if the SQL of one of them may read more. */
  isComplete: boolean
}

export interface ReadReference extends LinkedReference {
  /** The saved query that reads it; null if the board or automation uses it itself. */
  through: LinkedReference | null
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
