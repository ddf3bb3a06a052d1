import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { type ServerPlace, type ServerSettings, type TlsMode, tlsModes } from '../../model/server-settings.ts'
import type { ServerEngine } from '../../model/database.ts'
import { badInput, checkText } from '../people/check-text.ts'

/**
 * How a server is reached, as somebody has written it: checked field by field, since what is missing depends on the engine. Only
 * the form is judged here; where a host leads is judged when it is dialled.
 */
export function checkServerSettings(engine: ServerEngine, given: unknown): ServerSettings {
  const fields = objectAt('/settings', given, known)
  const tls = checkTls(fields['tls'])
  const usual = usualOf[engine]
  const port = tls === 'off' ? usual.port : usual.portWithTls
  return {
    ...checkPlace('/settings', fields, port),
    otherHosts: checkOtherHosts(fields['otherHosts'], port),
    database: textAt('/settings/database', fields['database'] ?? usual.database),
    user: textAt('/settings/user', fields['user'] ?? usual.user),
    tls,
    certificateAuthority: checkCertificateAuthority(fields['certificateAuthority'], tls),
  }
}

const known = ['host', 'port', 'otherHosts', 'database', 'user', 'tls', 'certificateAuthority']

/** What goes without saying. ClickHouse has a database and a user of the name `default`; the others have neither. */
const usualOf: Record<ServerEngine, { port: number; portWithTls: number; database?: string; user?: string }> = {
  postgres: { port: 5432, portWithTls: 5432 },
  mysql: { port: 3306, portWithTls: 3306 },
  clickhouse: { port: 8123, portWithTls: 8443, database: 'default', user: 'default' },
}

const otherHostsMax = 8
const certificateMaxCharacters = 64 * 1024
const passwordMaxCharacters = 1024

function checkPlace(path: string, fields: Record<string, unknown>, usualPort: number): ServerPlace {
  return {
    host: checkHost(`${path}/host`, fields['host']),
    port: checkPort(`${path}/port`, fields['port'] ?? usualPort),
  }
}

function checkHost(path: string, given: unknown): string {
  const text = textAt(path, given).toLowerCase()
  const host = text.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const isAddress = isIP(host) !== 0 && !host.includes('%')
  if (isAddress || isHostName(host)) return host
  throw badInput(path, 'must be a host name or an IP address alone, such as warehouse.example.com')
}

/** URLs take it as it is. They take `127.1` and `0x7f000001` for addresses, and `warehouse.256` for a fault. */
function isHostName(host: string): boolean {
  const hasLabels = host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
  return hasLabels && URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host
}

function checkPort(path: string, given: unknown): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= 65535) return given
  throw badInput(path, 'must be a whole number from 1 to 65535')
}

function checkOtherHosts(given: unknown, usualPort: number): ServerPlace[] {
  if (given === undefined) return []
  if (!Array.isArray(given) || given.length > otherHostsMax) {
    throw badInput('/settings/otherHosts', `must be a list of at most ${otherHostsMax} places`)
  }
  return given.map((place: unknown, index) => {
    const path = `/settings/otherHosts/${index}`
    return checkPlace(path, objectAt(path, place, ['host', 'port']), usualPort)
  })
}

/** Nobody's password goes over a network in the open because a field was left out. */
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
  if (tls !== 'verified') throw badInput(path, 'is of use only where tls is verified; leave it out')
  const blocks = given.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0 || !blocks.every(isCertificate)) {
    throw badInput(path, 'must hold certificates in PEM form, from -----BEGIN CERTIFICATE----- on')
  }
  // What stands around them, as the words that openssl prints, is not needed; a private key must not be kept.
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

/** An empty one counts as none: that is how a form sends it. */
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
