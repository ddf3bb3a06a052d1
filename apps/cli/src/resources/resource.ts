import type { Querypost } from '@querypost/client'

/**
 * A *resource* is a kind of thing that programs manage: saved queries, folders and so on. Its command has one *action* per method of the
 * client. Its *fields* are the texts that options set; everything else is given as JSON with `--data`. The service checks both.
 */
export interface Resource {
  /** As in "No folders yet." */
  nouns: string
  list(client: Querypost, options: CallOptions & { limit: number }): AsyncIterable<object>
  columns: ListColumn[]
  get?(client: Querypost, id: string, options: CallOptions): Promise<object>
  create?(client: Querypost, body: Body, options: CallOptions): Promise<object>
  update?(client: Querypost, id: string, body: Body, options: ChangeOptions): Promise<object>
  delete?(client: Querypost, id: string, options: ChangeOptions): Promise<object>
  fields: Record<string, Field>
}

/** What the user gave. Its type is that of the service's schema, which the service checks. */
export type Body = never

export interface ListColumn {
  /** The field of the item. */
  name: string
  isNumber?: boolean
  isNeverCut?: boolean
}

export interface Field {
  /** Where the text goes, as in `schedule.cron`. */
  path: string
  /** The placeholder in the help. */
  value: string
  description: string
  /** May be given more than once: the texts become a list. */
  multiple?: boolean
}

export interface CallOptions {
  signal: AbortSignal
}

export interface ChangeOptions extends CallOptions {
  /** Change it only if it still has this version. */
  version: string | undefined
}

export const actions = ['list', 'get', 'create', 'update', 'delete'] as const
export type Action = (typeof actions)[number]
