import type { ServerPlace, ServerSettings } from '../../model/server-settings.ts'
import type { ServerDatabase } from '../../model/database.ts'
import { badInput } from '../people/check-text.ts'
import type { Sealer } from '../sealing.ts'

/**
 * A database's password is sealed for its organization, the database, the user and the exact *places* (hosts and ports), so it
 * opens for no other: nobody can have a stored password sent to a server of their own. It is kept over a change of settings only
 * where the new ones give nobody a way to it that the old ones did not.
 */
type PasswordOf = Pick<ServerDatabase, 'id' | 'organizationId' | 'engine' | 'settings'>

export function sealPassword(sealer: Sealer, database: PasswordOf, password: string | null): Uint8Array | null {
  return password === null ? null : sealer.seal(password, contextOf(database))
}

/** Throws where SECRET_KEY is not the one it was sealed with. */
export function openPassword(
  sealer: Sealer,
  database: PasswordOf & Pick<ServerDatabase, 'sealedPassword'>,
): string | null {
  return database.sealedPassword === null ? null : sealer.open(database.sealedPassword, contextOf(database))
}

/** The stored password under new settings; refused where it has to be given anew. */
export function keepPassword(
  sealer: Sealer,
  before: PasswordOf & Pick<ServerDatabase, 'sealedPassword'>,
  settings: ServerSettings,
): Uint8Array | null {
  if (before.sealedPassword === null) return null
  const fault = whyAnew(before.settings, settings)
  if (fault !== undefined) throw badInput('/password', `must be given again: ${fault}`)
  let password: string | null
  try {
    password = openPassword(sealer, before)
  } catch {
    throw badInput('/password', 'must be given again: the stored one cannot be read, since SECRET_KEY is another one')
  }
  return sealPassword(sealer, { ...before, settings }, password)
}

function whyAnew(before: ServerSettings, now: ServerSettings): string | undefined {
  const known = new Set(placesOf(before).map(textOf))
  const added = placesOf(now).find((place) => !known.has(textOf(place)))
  if (added) return `it would be sent to ${textOf(added)}, where it was not sent before`
  if (before.user !== now.user) return 'it is another user’s'
  if (strength[now.tls] < strength[before.tls]) return 'its way to the server would be less safe than before'
  if (before.tls === 'verified' && before.certificateAuthority !== now.certificateAuthority) {
    return 'others would be believed to be the server'
  }
  return undefined
}

const strength = { off: 0, encrypted: 1, verified: 2 } as const

const placesOf = (settings: ServerSettings): ServerPlace[] => [settings, ...settings.otherHosts]
const textOf = ({ host, port }: ServerPlace) => `${host.includes(':') ? `[${host}]` : host}:${port}`

const contextOf = ({ id, organizationId, engine, settings }: PasswordOf) =>
  `password of ${organizationId} ${id} for ${JSON.stringify(settings.user)} of ${engine} at ${placesOf(settings).map(textOf).join(' ')}`
