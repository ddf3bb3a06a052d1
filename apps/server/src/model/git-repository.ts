import type { KnownItem } from '@querypost/project'

/** A Git repository whose CI pushes files with signed requests. Everything in it is managed. */
export interface GitRepository {
  id: string
  name: string
  /** Where people find the files, such as `https://github.com/acme/analytics/blob/main/`. */
  url: string
  createdBy: { id: string; name: string }
  createdAt: Date
  lastPushedAt: Date | null
  /** A replaced secret is valid until then. */
  previousSecretUntil: Date | null
}

/** What the last push left: the item behind each path. */
export type KnownFiles = Record<string, KnownItem>

export const repositoryLimits = {
  repositories: 20,
  nameCharacters: 100,
  overlapHours: 720,
  archiveBytes: 16 * 1024 * 1024,
} as const
