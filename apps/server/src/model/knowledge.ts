/**
 * *Knowledge* is what the people of an organization tell agents about their data.
 *
 * - An *item* is one piece of it: *instructions* for the organization or for one database, a *metric*, the descriptions of a *table* and
 *   its columns, or the mark that a saved query is *verified*.
 * - Every change of an item is a *version*, which keeps the content, who changed it and when. A deleted item is a version without
 *   content. Any version can be restored, which adds another one.
 * - Admins change knowledge. Members read it and make *suggestions*, which admins accept or decline. Agents never change it.
 */
export type KnowledgeContent =
  | InstructionsContent
  | MetricContent
  | TableDescriptionContent
  | VerifiedQueryContent

export const knowledgeKinds = ['instructions', 'metric', 'table', 'verified_query'] as const
export type KnowledgeKind = (typeof knowledgeKinds)[number]

/** Markdown, for the organization or for one database. */
export interface InstructionsContent {
  kind: 'instructions'
  databaseId: string | null
  text: string
}

/** A figure that people agreed on how to compute. */
export interface MetricContent {
  kind: 'metric'
  name: string
  description: string
  /** Such as `€` or `%`; null if it is a plain number. */
  unit: string | null
  /** Other names by which people ask for it. */
  synonyms: string[]
  definition: MetricDefinition
  /** The member to ask about it. */
  ownerId: string | null
}

export type MetricDefinition =
  | { kind: 'sql'; databaseId: string; sql: string }
  /** A saved query. */
  | { kind: 'reference'; shortId: string }

/** What the organization says about a table and its columns. It takes precedence over the database's own comments. */
export interface TableDescriptionContent {
  kind: 'table'
  databaseId: string
  schema: string
  table: string
  description: string | null
  /** By name. Columns without a description are left out. */
  columns: Record<string, string>
}

/** The mark holds for the SQL that the admin saw: a reference that points to another query since is no longer verified. */
export interface VerifiedQueryContent {
  kind: 'verified_query'
  shortId: string
  title: string
  queryId: string
}

export interface KnowledgeItem<Content extends KnowledgeContent = KnowledgeContent> {
  id: string
  organizationId: string
  /** What the item is about; unique within its kind. */
  subject: string
  /** 1, 2, 3, … */
  version: number
  /** Null once it is deleted. */
  content: Content | null
  changedBy: { id: string; name: string }
  changedAt: Date
}

export interface KnowledgeVersion {
  id: string
  itemId: string
  number: number
  content: KnowledgeContent | null
  /** The content before this version; null for the first one and after a deletion. */
  before: KnowledgeContent | null
  changedBy: { id: string; name: string }
  changedAt: Date
  /** The number of the version that was restored with this one. */
  restoredNumber: number | null
  /** Whether it is the current version of its item. */
  isCurrent: boolean
}

/** Where a suggestion belongs. */
export type SuggestionTarget =
  | { kind: 'instructions'; databaseId: string | null }
  /** `column` is null for the table itself. */
  | { kind: 'table'; databaseId: string; schema: string; table: string; column: string | null }

export const suggestionStates = ['open', 'accepted', 'declined'] as const
export type SuggestionState = (typeof suggestionStates)[number]

export interface Suggestion {
  id: string
  organizationId: string
  text: string
  target: SuggestionTarget
  /** The answer that it is about. */
  chat: { shortId: string; messageNumber: number } | null
  state: SuggestionState
  suggestedBy: { id: string; name: string }
  suggestedAt: Date
  decidedBy: { id: string; name: string } | null
  decidedAt: Date | null
}

/** The mark on a reference. */
export interface Verification {
  verifiedBy: { id: string; name: string }
  verifiedAt: Date
  /** Whether the SQL has changed since. The reference then counts as not verified. */
  isOutdated: boolean
}

/**
 * A change that an admin has not saved. Only the answers of the evaluation that tries it know of it.
 */
export interface KnowledgeProposal {
  content: ProposedContent
  /** The metric that it changes. Null if it adds one, and for the other kinds. */
  metricId: string | null
}

export type ProposedContent = InstructionsContent | MetricContent | TableDescriptionContent

/** Limits for the size of an organization's knowledge. The part that is relevant to a question must fit into a prompt. */
export const knowledgeLimits = {
  instructionsCharacters: 8_000,
  databaseInstructionsCharacters: 4_000,
  metrics: 500,
  metricNameCharacters: 100,
  metricUnitCharacters: 20,
  metricSqlCharacters: 4_000,
  synonyms: 20,
  descriptionCharacters: 1_000,
  describedColumns: 500,
  verifiedQueries: 500,
  suggestionCharacters: 1_000,
  openSuggestions: 500,
  openSuggestionsOfOne: 50,
} as const

/** What people call each kind of used knowledge, before its name. */
export const usedKnowledgeLabels = {
  metric: 'metric',
  verified_query: 'verified query',
  dbt_metric: 'dbt metric',
  table: 'table',
  instructions: 'instructions',
} as const

/** A piece of knowledge that was part of an agent's prompt. */
export interface UsedKnowledge {
  kind: keyof typeof usedKnowledgeLabels
  name: string
  /** The page about it, as a path. */
  href?: string
}
