import type { ServerPlace, ServerSettings } from '../../model/server-settings.ts'
import type { ServerDatabase } from '../../model/database.ts'
import { badInput } from '../people/check-text.ts'
import type { Sealer } from '../sealing.ts'

/**
 * A database password is encrypted for its organization, database, user and exact *places* (hosts and ports) and can be decrypted
 * for no others, so nobody can have a stored password sent to their own server. It survives a change of settings only if the new
 * settings expose it to nobody who could not get it before.
 */
type PasswordOf = Pick<ServerDatabase, 'id' | 'organizationId' | 'engine' | 'settings'>

export function sealPassword(sealer: Sealer, database: PasswordOf, password: string | null): Uint8Array | null {
  return password === null ? null : sealer.seal(password, contextOf(database))
}

/** Throws if SECRET_KEY is not the one it was encrypted with. */
export function openPassword(
  sealer: Sealer,
  database: PasswordOf & Pick<ServerDatabase, 'sealedPassword'>,
): string | null {
  return database.sealedPassword === null ? null : sealer.open(database.sealedPassword, contextOf(database))
}

/** The stored password under new settings. Throws if it has to be entered again. */
export function keepPassword(
  sealer: Sealer,
  before: PasswordOf & Pick<ServerDatabase, 'sealedPassword'>,
  settings: ServerSettings,
): Uint8Array | null {
  if (before.sealedPassword === null) return null
  const fault = whyEnterAgain(before.settings, settings)
  if (fault !== undefined) throw badInput('/password', `must be entered again: ${fault}`)
  let password: string | null
  try {
    password = openPassword(sealer, before)
  } catch {
    throw badInput('/password', 'must be entered again: the saved one cannot be decrypted, because SECRET_KEY has changed')
  }
  return sealPassword(sealer, { ...before, settings }, password)
}

function whyEnterAgain(before: ServerSettings, now: ServerSettings): string | undefined {
  const known = new Set(placesOf(before).map(textOf))
  const added = placesOf(now).find((place) => !known.has(textOf(place)))
  if (added) return `it would be sent to a new place, ${textOf(added)}`
  if (before.user !== now.user) return 'it belongs to another user'
  if (strength[now.tls] < strength[before.tls]) return 'the connection would be less secure than before'
  if (before.tls === 'verified' && before.certificateAuthority !== now.certificateAuthority) {
    return 'other servers would be trusted'
  }
  return undefined
}

const strength = { off: 0, encrypted: 1, verified: 2 } as const

const placesOf = (settings: ServerSettings): ServerPlace[] => [settings, ...settings.otherHosts]
const textOf = ({ host, port }: ServerPlace) => `${host.includes(':') ? `[${host}]` : host}:${port}`

const contextOf = ({ id, organizationId, engine, settings }: PasswordOf) =>
  `password of ${organizationId} ${id} for ${JSON.stringify(settings.user)} of ${engine} at ${placesOf(settings).map(textOf).join(' ')}`
