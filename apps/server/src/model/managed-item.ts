import type { ItemKind } from '@querypost/project'

/** An item that a Git repository *manages* is changed by applying its file, and in no other way. */
export type ManagedKind = ItemKind

export interface ManagedKey {
  kind: ManagedKind
  /** For queries and boards, the shortId. */
  id: string
}

export interface ManagedItem extends ManagedKey {
  /** Of the file, for people. */
  url: string
}

export const managedUrlMaxLength = 2_000
