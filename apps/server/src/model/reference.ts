import type { ParameterDefinition } from './parameter.ts'
import type { Visualization, VisualizationType } from '@querypost/visualization'
import type { LatestRun } from './query.ts'

/**
 * A *query reference* is a bookmark that points to a query, with a short identifier for its permalink. An *optimistic* one
 * reserves a permalink before its query exists: `currentQuery` then has the reserved id and empty SQL.
 */
export interface Reference {
  id: string
  shortId: string
  title: string
  description: string | null
  isOptimistic: boolean
  createdBy: string
  createdAt: Date
  updatedAt: Date
  currentQuery: { id: string; sql: string }
}

export interface ReferenceInFull extends Reference {
  visualization: Visualization | null
  parameters: ParameterDefinition[]
  /** How old its result may be when other queries read it; null if a stored one is always fresh enough. */
  freshForSeconds: number | null
}

export interface DeletedReference {
  id: string
  shortId: string
  title: string
  description: string | null
  queryId: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date
}

export const defaultTitle = 'Untitled query'
export const titleMaxLength = 200
export const descriptionMaxLength = 5000
export const freshForMinSeconds = 60
export const freshForMaxSeconds = 30 * 24 * 3600

/** Information that helps to choose among many references. */
export interface ListDetails {
  createdByName: string
  /** Null while it is optimistic. */
  analyticalDatabaseConfigId: string | null
  visualizationType: VisualizationType | null
  /** The latest run of the query it points to. */
  latestRun: (LatestRun & { completedAt: Date | null; isStopped: boolean }) | null
}

/** What people change about a reference. */
export const referenceParts = ['title', 'description', 'sql', 'visualization', 'parameters', 'folder'] as const
export type ReferencePart = (typeof referenceParts)[number]

/** A saved state of a reference, numbered from 1. */
export interface ReferenceVersion {
  number: number
  title: string
  /** What differs from the version before. Empty for the first version. */
  changedParts: ReferencePart[]
  /** The version that was restored with this one. */
  restoredNumber: number | null
  changedAt: Date
  /** Null if the reference was changed before there was a history. */
  changedBy: { id: string; name: string } | null
  isCurrent: boolean
}

export interface ReferenceVersionInFull extends ReferenceVersion {
  description: string | null
  isOptimistic: boolean
  queryId: string
  /** Empty if there was none yet. */
  sql: string
  analyticalDatabaseConfigId: string | null
  visualization: Visualization | null
  parameters: ParameterDefinition[]
  folderId: string | null
}
