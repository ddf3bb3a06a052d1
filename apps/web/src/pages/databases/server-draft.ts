import { definitionOf, type ServerPlace } from '@querypost/server/engine-definitions'
import type { GivenConnection, ServerEngine, ServerSettings, TestOutcome, TlsMode } from '../../api/databases.ts'
import { ApiError, faultAt } from '../../api/request.ts'

/** The connection settings as the form holds them: text until they are sent. */
export interface ServerDraft {
  host: string
  port: string
  database: string
  user: string
  /** Empty means the stored password, if there is one, otherwise none. */
  password: string
  isPasswordRemoved: boolean
  tls: TlsMode
  certificateAuthority: string
  otherHosts: { host: string; port: string }[]
  /** Settings that only this engine has. */
  options: Record<string, string>
}

export const emptyDraft: ServerDraft = {
  host: '',
  port: '',
  database: '',
  user: '',
  password: '',
  isPasswordRemoved: false,
  tls: 'verified',
  certificateAuthority: '',
  otherHosts: [],
  options: {},
}

export function toServerDraft(settings: ServerSettings): ServerDraft {
  return {
    ...emptyDraft,
    host: settings.host,
    port: String(settings.port),
    database: settings.database,
    user: settings.user,
    tls: settings.tls,
    certificateAuthority: settings.certificateAuthority ?? '',
    otherHosts: settings.otherHosts.map(({ host, port }) => ({ host, port: String(port) })),
    options: settings.options ?? {},
  }
}

/** The defaults for empty fields, shown as placeholders. */
export function defaultsOf(engine: ServerEngine, tls: TlsMode): { host: string; port: number; database: string; user: string } {
  const { host, port, portWithTls, database, user } = serverPlaceOf(engine)
  return { host: host?.default ?? '', port: tls === 'off' ? port : portWithTls, database: database?.default ?? '', user: user?.default ?? '' }
}

export function serverPlaceOf(engine: ServerEngine): ServerPlace {
  const { place } = definitionOf(engine)
  if (place.on !== 'server') throw new Error(`${engine} has no servers`)
  return place
}

export function isComplete(draft: ServerDraft, engine: ServerEngine): boolean {
  const defaults = defaultsOf(engine, draft.tls)
  const required = (serverPlaceOf(engine).options ?? []).filter(({ isRequired }) => isRequired).map(({ name }) => draft.options[name] ?? '')
  return [draft.host || defaults.host, draft.database || defaults.database, draft.user || defaults.user, ...required].every((text) => text.trim() !== '')
}

export function toConnection(
  draft: ServerDraft,
  { engine, hasStoredPassword }: { engine: ServerEngine; hasStoredPassword: boolean },
): GivenConnection {
  const defaults = defaultsOf(engine, draft.tls)
  const certificateAuthority = draft.certificateAuthority.trim()
  const password = draft.password === '' ? null : draft.password
  const isKept = hasStoredPassword && password === null && !draft.isPasswordRemoved
  return {
    settings: {
      ...addressOf({ ...draft, host: draft.host.trim() || defaults.host }),
      database: draft.database.trim() || defaults.database,
      user: draft.user.trim() || defaults.user,
      tls: draft.tls,
      certificateAuthority: draft.tls === 'verified' && certificateAuthority !== '' ? certificateAuthority : null,
      otherHosts: draft.otherHosts.filter(({ host }) => host.trim() !== '').map(addressOf),
      ...optionsOf(draft, engine),
    },
    ...(!isKept && { password }),
  }
}

/** Those of the chosen engine: the draft may still have some of another one. */
function optionsOf(draft: ServerDraft, engine: ServerEngine): { options?: Record<string, string> } {
  const { options } = serverPlaceOf(engine)
  if (!options) return {}
  const given = options.map(({ name }) => [name, (draft.options[name] ?? '').trim()] as const)
  return { options: Object.fromEntries(given.filter(([, text]) => text !== '')) }
}

/** An invalid port is sent as NaN, which the service rejects with an error for this field. */
const addressOf = ({ host, port }: { host: string; port: string }) =>
  port.trim() === '' ? { host: host.trim() } : { host: host.trim(), port: Number(port) }

/** The error of a field, from the service's validation or from the connection test. */
export function fieldFaults(error: unknown, outcome: TestOutcome | undefined): (path: string) => string | undefined {
  const found = outcome && !outcome.ok ? outcome : undefined
  return (path) => faultAt(error, path) ?? (found?.path === path ? asSentence(found.message) : undefined)
}

const asSentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** The fields that show their own errors. */
const fieldPaths = new Set([
  '/settings/host',
  '/settings/port',
  '/settings/database',
  '/settings/user',
  '/settings/tls',
  '/settings/certificateAuthority',
  '/password',
])

/** Whether an error is not shown at any field. */
export function isNotShownAtField(error: unknown): boolean {
  if (error === null || error === undefined) return false
  return !(error instanceof ApiError && error.details.some(({ path }) => isShownAtField(path)))
}

const isShownAtField = (path: string) =>
  path === '/name' || fieldPaths.has(path) || path.startsWith('/settings/otherHosts/') || path.startsWith('/settings/options/')
