/** The server's kind and version, from its version string, and the settings that follow from it. */
export interface ServerVersion {
  /** `PostgreSQL 18.4`, `Redshift 1.0.117891`. */
  name: string
  /** PostgreSQL's major version. Redshift forked from 8. */
  major: number
  isRedshift: boolean
  /** The settings that every statement runs with. */
  settings: string[]
}

/** How soon the server notices a lost client in the middle of a long statement. */
const clientCheckMs = 10_000

/** The engine is never idle in a transaction for longer than a round trip. */
const longestIdleMs = 60_000

export function readVersion(text: string): ServerVersion {
  const redshift = /Redshift ([\d.]+)/.exec(text)
  const [, number = '0'] = /^\S+ (\d+(?:\.\d+)*)/.exec(text) ?? []
  const major = Number.parseFloat(number)
  const isRedshift = redshift !== null
  const settings = ["TimeZone = 'UTC'", "DateStyle = 'ISO'", 'extra_float_digits = 2']
  if (!isRedshift) {
    settings.push('standard_conforming_strings = on', "bytea_output = 'hex'", "IntervalStyle = 'postgres'")
    if (major >= 9.6) settings.push(`idle_in_transaction_session_timeout = ${longestIdleMs}`)
    // Rejected on platforms where the server cannot check its clients.
    const canCheckClient = major >= 14 && !/windows|mingw|visual c|msvc/i.test(text)
    if (canCheckClient) settings.push(`client_connection_check_interval = ${clientCheckMs}`)
  }
  return {
    name: redshift ? `Redshift ${redshift[1]}` : (/^\S+ [^\s,]+/.exec(text)?.[0] ?? text),
    major,
    isRedshift,
    settings,
  }
}
