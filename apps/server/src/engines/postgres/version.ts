/** What answers, from what it says of itself, and what that means for the statements we send. */
export interface ServerVersion {
  /** `PostgreSQL 18.4`, `Redshift 1.0.117891`. */
  name: string
  /** PostgreSQL's; Redshift went its own way from 8. */
  major: number
  isRedshift: boolean
  /** The settings that every statement runs with. */
  settings: string[]
}

/** How soon the server notices that we are gone, in the middle of a long statement. */
const lookForClientMs = 10_000

/** Ours is never idle inside of a transaction for longer than a round trip. */
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
    // Refused where the server's system cannot look.
    const canLook = major >= 14 && !/windows|mingw|visual c|msvc/i.test(text)
    if (canLook) settings.push(`client_connection_check_interval = ${lookForClientMs}`)
  }
  return {
    name: redshift ? `Redshift ${redshift[1]}` : (/^\S+ [^\s,]+/.exec(text)?.[0] ?? text),
    major,
    isRedshift,
    settings,
  }
}
