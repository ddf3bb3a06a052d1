import type { ConnectionStrings } from './connection-string.ts'
import type { EditorDialect } from './editor-dialect.ts'
import type { SessionBindingKind } from '../model/row-rule.ts'
import type { Syntax } from './sql/syntax.ts'

/**
 * Everything that the service and the pages need to know about a kind of engine besides how it runs statements. Plain data and
 * pure functions: the pages use it, too.
 */
export interface EngineDefinition {
  /** Stored with each database. It is also the name of the folder and of the SQL dialect. */
  kind: string
  /** As people know it, such as "PostgreSQL". */
  name: string
  /** Shown below the name when someone chooses what to add. */
  hint: string
  icon: EngineIcon
  /** Its page in the documentation; null if the guide to databases describes it. */
  docs: string | null
  syntax: Syntax
  editor: EditorDialect
  /** The schema whose tables need no prefix: always the same one, or as a setting says. */
  defaultSchema: { name: string } | { setting: string }
  place: FilePlace | ServerPlace
  /** Whether the engine can tell how many bytes a statement would read, without reading them (`Engine.estimate`). */
  estimatesBytes?: boolean
  /** By what row rules can tell the database who asks. */
  sessionBindings?: readonly SessionBindingKind[]
}

/** The pages have a picture for each. */
export type EngineIcon = 'asterisk' | 'bird' | 'cloud' | 'columns' | 'cylinder' | 'cylinder-with-flash' | 'feather' | 'fish' | 'rabbit'

/** The database is a file stored by the service. */
export interface FilePlace {
  on: 'file'
  /** Of files that the service creates. */
  extension: string
  /** Whether a database can be created empty and filled by importing files as tables. */
  takesTables: boolean
  /** Extensions offered when someone chooses a file. */
  uploads: readonly string[]
}

/** The database is on a server that others administer. */
export interface ServerPlace {
  on: 'server'
  port: number
  portWithTls: number
  /** Connection strings that can be pasted into the form. */
  connectionStrings: ConnectionStrings
  /** The labels and hints of fields that differ from the usual ones, and defaults for omitted ones. */
  host?: Pick<ServerField, 'default'>
  database?: ServerField
  user?: ServerField
  password?: Omit<ServerField, 'default'>
  /** Settings that only this engine has, in the order of the form. */
  options?: readonly ServerOption[]
  /** The setting at fault, by the error code of the driver or the database. */
  faults?: Readonly<Record<string, SettingAtFault>>
}

export interface ServerField {
  label?: string
  hint?: string
  default?: string
}

export interface ServerOption {
  name: string
  label: string
  hint?: string
  /** Without choices, any text. */
  choices?: readonly { value: string; label: string }[]
  /** Omitted if it may be empty; the first of the choices if there are any. */
  isRequired?: boolean
  /** Rejects anything but a number above zero. */
  isPositiveNumber?: boolean
}

export type SettingAtFault = 'host' | 'port' | 'database' | 'user' | 'password' | 'tls'
