/**
 * Reads connection strings such as `postgres://user:password@host:5432/database?sslmode=require`. Each engine's definition says which schemes,
 * parameters and ports it knows. Plain functions: the pages use them, so that a string with its password never leaves the browser.
 */
import type { TlsMode } from '../model/server-settings.ts'

export interface ConnectionStrings {
  /** The schemes, with the TLS mode that each implies, or null if it implies none. */
  schemes: Readonly<Record<string, TlsMode | null>>
  /** By name of the parameter, in lower case, and its value: the TLS mode. */
  tlsParameters: Readonly<Record<string, Readonly<Record<string, TlsMode>>>>
  /** Ports that imply a TLS mode. */
  tlsPorts?: Readonly<Record<string, TlsMode>>
  /** Ports of another protocol, which are replaced by the default. */
  otherPorts?: readonly string[]
  /** The option that the second part of the path is for. */
  secondPart?: string
  /** Options that parameters of the same name are for. */
  parameters?: readonly string[]
  example: string
}

/** The settings in a connection string. What it does not contain is omitted. */
export interface ConnectionParts {
  host: string
  port: string
  otherHosts: { host: string; port: string }[]
  database?: string
  user?: string
  password?: string
  tls?: TlsMode
  options?: Record<string, string>
}

export const schemeOf = (text: string) => /^\s*(?:jdbc:)?([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()

/** Undefined if the text is not a connection string of this kind. */
export function parseConnectionString(text: string, known: ConnectionStrings): ConnectionParts | undefined {
  const scheme = schemeOf(text)
  if (scheme === undefined || !(scheme in known.schemes)) return undefined
  const [address = '', search = ''] = splitOnce(text.trim().replace(/^.*?:\/\//, ''), '?')
  // A password may contain an @ that nobody has encoded.
  const at = address.lastIndexOf('@')
  const [hosts = '', path = ''] = splitOnce(address.slice(at + 1), '/')
  const places = hosts.split(',').map((place) => parsePlace(place, known))
  const [first, ...otherHosts] = places
  if (!first || places.some(({ host }) => host === '')) return undefined
  const parameters = new Map([...new URLSearchParams(search)].map(([name, value]) => [name.toLowerCase(), value]))
  const [user, password] = at === -1 ? [] : splitOnce(address.slice(0, at), ':').map(decode)
  const [database, second] = path.split('/').map(decode)
  const tls = tlsIn(parameters, known) ?? known.tlsPorts?.[portIn(hosts)] ?? known.schemes[scheme]
  return withoutEmpty({
    host: first.host,
    port: first.port,
    otherHosts,
    database: database || parameters.get('database'),
    user: user || parameters.get('user'),
    password: password || parameters.get('password'),
    tls: tls ?? undefined,
    options: optionsIn(parameters, second, known),
  })
}

function optionsIn(parameters: Map<string, string>, second: string | undefined, known: ConnectionStrings): Record<string, string> | undefined {
  const given = [
    ...(known.secondPart !== undefined && second ? [[known.secondPart, second] as const] : []),
    ...(known.parameters ?? []).flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name)!] as const] : [])),
  ]
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}

/** A percent sign that encodes nothing is meant as such. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const placePattern = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/

function parsePlace(place: string, { otherPorts = [] }: ConnectionStrings): { host: string; port: string } {
  const [, host = '', port = ''] = placePattern.exec(place.trim()) ?? []
  return { host: host.replace(/^\[|\]$/g, ''), port: otherPorts.includes(port) ? '' : port }
}

const portIn = (hosts: string) => /:(\d+)$/.exec(hosts)?.[1] ?? ''

function tlsIn(parameters: Map<string, string>, { tlsParameters }: ConnectionStrings): TlsMode | undefined {
  const found = Object.entries(tlsParameters).map(([name, modes]) => modes[(parameters.get(name) ?? '').toLowerCase()])
  return found.find((mode) => mode !== undefined)
}

function withoutEmpty(parts: { [Key in keyof ConnectionParts]: ConnectionParts[Key] | undefined }): ConnectionParts {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as unknown as ConnectionParts
}
