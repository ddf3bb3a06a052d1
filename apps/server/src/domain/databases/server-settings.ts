import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { type ServerPlace, type ServerSettings, type TlsMode, tlsModes } from '../../model/server-settings.ts'
import type { ServerPlace as PlaceDefinition } from '../../engines/definition.ts'
import { definitionOf } from '../../engines/registry/definitions.ts'
import type { EngineKind } from '../../model/database.ts'
import { badInput, checkText } from '../people/check-text.ts'

/**
 * Checks connection settings as given by a person. Fields are checked one by one, because the defaults depend on the engine. Only
 * the form is checked here; the address of a host is checked when it is dialed.
 */
export function checkServerSettings(engine: EngineKind, given: unknown): ServerSettings {
  const { place } = definitionOf(engine)
  if (place.on !== 'server') throw new Error(`${engine} has no servers`)
  const fields = objectAt('/settings', given, place.options ? [...known, 'options'] : known)
  const tls = checkTls(fields['tls'])
  const port = tls === 'off' ? place.port : place.portWithTls
  return {
    ...checkPlace('/settings', fields, port),
    otherHosts: checkOtherHosts(fields['otherHosts'], port),
    database: textAt('/settings/database', fields['database'] ?? place.database?.default),
    user: textAt('/settings/user', fields['user'] ?? place.user?.default),
    tls,
    certificateAuthority: checkCertificateAuthority(fields['certificateAuthority'], tls),
    ...(place.options && { options: checkOptions(place.options, fields['options']) }),
  }
}

const known = ['host', 'port', 'otherHosts', 'database', 'user', 'tls', 'certificateAuthority']

const otherHostsMax = 8
const certificateMaxCharacters = 64 * 1024
/** A password, a token or the key of a service account. */
const passwordMaxCharacters = 8 * 1024

/** An empty option counts as omitted, because that is how a form sends it. */
function checkOptions(definitions: NonNullable<PlaceDefinition['options']>, given: unknown = {}): Record<string, string> {
  const path = '/settings/options'
  const fields = objectAt(path, given, definitions.map(({ name }) => name))
  const checked: Record<string, string> = {}
  for (const { name, choices, isRequired } of definitions) {
    const value = fields[name] === '' ? undefined : fields[name]
    if (choices) checked[name] = choiceAt(`${path}/${name}`, value ?? choices[0]!.value, choices)
    else if (value !== undefined || isRequired) checked[name] = textAt(`${path}/${name}`, value)
  }
  return checked
}

function choiceAt(path: string, given: unknown, choices: readonly { value: string }[]): string {
  const found = choices.find(({ value }) => value === given)
  if (found) return found.value
  throw badInput(path, `must be one of ${choices.map(({ value }) => value).join(', ')}`)
}

function checkPlace(path: string, fields: Record<string, unknown>, defaultPort: number): ServerPlace {
  return {
    host: checkHost(`${path}/host`, fields['host']),
    port: checkPort(`${path}/port`, fields['port'] ?? defaultPort),
  }
}

function checkHost(path: string, given: unknown): string {
  const text = textAt(path, given).toLowerCase()
  const host = text.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const isAddress = isIP(host) !== 0 && !host.includes('%')
  if (isAddress || isHostName(host)) return host
  throw badInput(path, 'must be a host name or an IP address alone, such as warehouse.example.com')
}

/** Accepts names that URLs keep unchanged. URLs read `127.1` and `0x7f000001` as addresses and reject `warehouse.256`. */
function isHostName(host: string): boolean {
  const hasLabels = host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
  return hasLabels && URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host
}

function checkPort(path: string, given: unknown): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= 65535) return given
  throw badInput(path, 'must be a whole number from 1 to 65535')
}

function checkOtherHosts(given: unknown, defaultPort: number): ServerPlace[] {
  if (given === undefined) return []
  if (!Array.isArray(given) || given.length > otherHostsMax) {
    throw badInput('/settings/otherHosts', `must be a list of at most ${otherHostsMax} places`)
  }
  return given.map((place: unknown, index) => {
    const path = `/settings/otherHosts/${index}`
    return checkPlace(path, objectAt(path, place, ['host', 'port']), defaultPort)
  })
}

/** Verified by default, so that a missing field never sends a password over a network unencrypted. */
function checkTls(given: unknown = 'verified'): TlsMode {
  const mode = tlsModes.find((each) => each === given)
  if (mode) return mode
  throw badInput('/settings/tls', `must be one of ${tlsModes.join(', ')}`)
}

function checkCertificateAuthority(given: unknown, tls: TlsMode): string | null {
  const path = '/settings/certificateAuthority'
  if (given === undefined || given === null) return null
  if (typeof given !== 'string' || given.length > certificateMaxCharacters) {
    throw badInput(path, `must be text in PEM form, at most ${certificateMaxCharacters / 1024} KiB`)
  }
  if (tls !== 'verified') throw badInput(path, 'applies only if tls is verified; leave it out')
  const blocks = given.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0 || !blocks.every(isCertificate)) {
    throw badInput(path, 'must contain certificates in PEM form, starting with -----BEGIN CERTIFICATE-----')
  }
  // Drop any surrounding text, such as the output of openssl; a private key must not be kept.
  return `${blocks.join('\n')}\n`
}

function isCertificate(pem: string): boolean {
  try {
    void new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}

/** An empty password counts as none, because that is how a form sends it. */
export function checkPassword(given: string | null): string | null {
  if (given === null || given === '') return null
  if (given.length <= passwordMaxCharacters) return given
  throw badInput('/password', `must have at most ${passwordMaxCharacters} characters`)
}

function textAt(path: string, given: unknown): string {
  if (given === undefined) throw badInput(path, 'is required')
  if (typeof given !== 'string') throw badInput(path, 'must be text')
  return checkText({ path, text: given, maxCharacters: 255 })
}

function objectAt(path: string, given: unknown, fields: readonly string[]): Record<string, unknown> {
  if (given === undefined) throw badInput(path, 'is required')
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw badInput(path, 'must be an object')
  const stray = Object.keys(given).find((field) => !fields.includes(field))
  if (stray !== undefined) throw badInput(`${path}/${stray}`, 'is not a known field; remove it')
  return given as Record<string, unknown>
}
