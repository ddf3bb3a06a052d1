import type { ItemKind } from '../item.ts'
import type { ParameterValues, SingleValue } from '../parameter.ts'

/**
 * Words:
 * - A *public link* shows a query or a board (the *item*) to anyone who has its address, `/s/<token>`.
 * - A *viewer* is someone who opens such a link, or a page that embeds an item. Viewers are not signed in.
 * - A *public parameter* is one that viewers may change, to one of its *allowed values*. All others keep their default.
 */
export interface SharedItemKey {
  organizationId: string
  kind: ItemKind
  shortId: string
}

export const viewerDownloads = ['csv', 'xlsx', 'png'] as const
export type ViewerDownload = (typeof viewerDownloads)[number]

/** Formats of a whole board. The others are only for single results. */
export const viewedBoardFormats = ['xlsx', 'png'] as const satisfies readonly ViewerDownload[]
export type ViewedBoardFormat = (typeof viewedBoardFormats)[number]

export interface PublicParameter {
  name: string
  /** In canonical form. Of a list, its elements: viewers may choose any of them. Null: any value of the parameter's type. */
  values: SingleValue[] | null
}

/** What viewers may see and do beyond looking at stored results. */
export interface ViewerOptions {
  parameters: PublicParameter[]
  showsSql: boolean
  allowsRefresh: boolean
  downloads: ViewerDownload[]
}

/** Someone who may see one item, and how. */
export interface Viewer extends SharedItemKey, ViewerOptions {
  /** The link or the embedding secret. It is the trigger of the runs that the viewer starts. */
  id: string
  /** Values that the viewer cannot change. */
  lockedValues: ParameterValues
  runLimits: RunLimits
  /** When the token of an embedded page expires. Null for a public link. */
  tokenExpiresAt: Date | null
}

export interface PublicLink extends SharedItemKey, ViewerOptions {
  id: string
  /** Null if the item was deleted; then the link does not work. */
  title: string | null
  sealedToken: Uint8Array
  hasPassword: boolean
  expiresAt: Date | null
  createdBy: { id: string; name: string }
  createdAt: Date
  viewCount: number
  lastViewedAt: Date | null
}

export const publicLinkLimits = {
  /** Of one query or board. */
  linksOfItem: 20,
  allowedValues: 100,
  /** Runs that all viewers of a link start together. */
  runs: { perHour: 60, secondsPerDay: 600 },
} as const

export interface RunLimits {
  perHour: number
  /** How long the runs of a day may take in total. */
  secondsPerDay: number
}
