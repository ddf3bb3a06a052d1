import type { GivenConnection, ServerEngine, ServerSettings, TestOutcome, TlsMode } from '../../api/databases.ts'
import { ApiError, faultAt } from '../../api/request.ts'

/** How a server is reached, as it stands in the form: everything is text until it is sent. */
export interface ServerDraft {
  host: string
  port: string
  database: string
  user: string
  /** Empty: none, or the stored one where there is one. */
  password: string
  isPasswordRemoved: boolean
  tls: TlsMode
  certificateAuthority: string
  otherHosts: { host: string; port: string }[]
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
}

export function draftOf(settings: ServerSettings): ServerDraft {
  return {
    ...emptyDraft,
    host: settings.host,
    port: String(settings.port),
    database: settings.database,
    user: settings.user,
    tls: settings.tls,
    certificateAuthority: settings.certificateAuthority ?? '',
    otherHosts: settings.otherHosts.map(({ host, port }) => ({ host, port: String(port) })),
  }
}

/** What goes without saying, and is shown in the place of what is left empty. */
export function usualOf(engine: ServerEngine, tls: TlsMode): { port: number; database: string; user: string } {
  switch (engine) {
    case 'postgres':
      return { port: 5432, database: '', user: '' }
    case 'mysql':
      return { port: 3306, database: '', user: '' }
    case 'clickhouse':
      return { port: tls === 'off' ? 8123 : 8443, database: 'default', user: 'default' }
  }
}

export function isComplete(draft: ServerDraft, engine: ServerEngine): boolean {
  const usual = usualOf(engine, draft.tls)
  return [draft.host, draft.database || usual.database, draft.user || usual.user].every((text) => text.trim() !== '')
}

export function connectionOf(
  draft: ServerDraft,
  { engine, hasStoredPassword }: { engine: ServerEngine; hasStoredPassword: boolean },
): GivenConnection {
  const usual = usualOf(engine, draft.tls)
  const certificateAuthority = draft.certificateAuthority.trim()
  const password = draft.password === '' ? null : draft.password
  const isKept = hasStoredPassword && password === null && !draft.isPasswordRemoved
  return {
    settings: {
      ...placeOf(draft),
      database: draft.database.trim() || usual.database,
      user: draft.user.trim() || usual.user,
      tls: draft.tls,
      certificateAuthority: draft.tls === 'verified' && certificateAuthority !== '' ? certificateAuthority : null,
      otherHosts: draft.otherHosts.filter(({ host }) => host.trim() !== '').map(placeOf),
    },
    ...(!isKept && { password }),
  }
}

/** What is no number is sent as none, and the service says so beside the field. */
const placeOf = ({ host, port }: { host: string; port: string }) =>
  port.trim() === '' ? { host: host.trim() } : { host: host.trim(), port: Number(port) }

/** What is wrong with a field: what the service refused, or what the test found. */
export function faultsOf(error: unknown, outcome: TestOutcome | undefined): (path: string) => string | undefined {
  const found = outcome && !outcome.ok ? outcome : undefined
  return (path) => faultAt(error, path) ?? (found?.path === path ? asSentence(found.message) : undefined)
}

const asSentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** Those with a place of their own in the form. */
const fieldPaths = new Set([
  '/settings/host',
  '/settings/port',
  '/settings/database',
  '/settings/user',
  '/settings/tls',
  '/settings/certificateAuthority',
  '/password',
])

/** Whether something is wrong that no field tells of. */
export function isElsewhere(error: unknown): boolean {
  if (error === null || error === undefined) return false
  return !(error instanceof ApiError && error.details.some(({ path }) => isShownAtField(path)))
}

const isShownAtField = (path: string) =>
  path === '/name' || fieldPaths.has(path) || path.startsWith('/settings/otherHosts/')
