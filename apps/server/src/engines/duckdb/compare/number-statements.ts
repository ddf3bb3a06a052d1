/**
 * SQL that adds up the numbers of a column exactly, from their JSON texts: `12`, `"12.50"`, `1.5e-7`, `null`. Floating-point numbers would
 * lose digits, and DuckDB takes microseconds to read a decimal of 38 digits, so numbers become integers in units of the column's smallest
 * digit.
 *
 * An *addend* is one integer of a number. Most columns need one. If whole part and fraction together have too many digits for 128 bits,
 * there are two: both have the sign of the number.
 */
export interface NumberFormat {
  /** The most digits before and after the decimal point. */
  wholeDigits: number
  fractionDigits: number
  hasExponents: boolean
}

export interface Addend {
  /** The integer for a text as `numberText` writes it; 0 for null. */
  sql(text: string): string
  /** Its unit is 10^-scale. */
  scale: number
}

/** Why a column cannot be added up. */
export type NumberFault = 'not_a_number' | 'out_of_range'

/** The most digits before or after the decimal point. A hundred billion integers of as many digits add up to less than 2^127. */
const digitsMax = 27
/** The digits of a 64-bit integer, which is read several times faster than one of 128 bits. */
const shortDigitsMax = 18

const plainNumber = String.raw`-?\d+(\.\d+)?`
const numberWithExponent = String.raw`-?\d+(\.\d+)?[eE][+-]?\d{1,4}`

const unquoted = (json: string) => `trim(${json}, '"')`
const isPlain = (json: string) => `regexp_full_match(${unquoted(json)}, '${plainNumber}')`
const hasExponent = (json: string) => `regexp_full_match(${unquoted(json)}, '${numberWithExponent}')`

/** Writes `-1.5e-3` as `-0.0015`. */
function withoutExponent(text: string): string {
  const mantissa = `split_part(lower(${text}), 'e', 1)`
  const digits = `regexp_replace(${mantissa}, '[-.]', '', 'g')`
  const scale = `(length(split_part(${mantissa}, '.', 2)) - split_part(lower(${text}), 'e', 2)::INTEGER)`
  const padded = `lpad(${digits}, greatest(length(${digits}), ${scale} + 1)::INTEGER, '0')`
  const shifted = `left(${padded}, (length(${padded}) - ${scale})::INTEGER) || '.' || right(${padded}, ${scale}::INTEGER)`
  return `${sign(text)} || CASE WHEN ${scale} > 0 THEN ${shifted} ELSE ${digits} || repeat('0', (-${scale})::INTEGER) END`
}

/** The text of a number without quotes and exponent: `-12.5`. Null for `null`. */
export const numberText = (json: string, { hasExponents }: NumberFormat): string => {
  const text = hasExponents ? `CASE WHEN ${hasExponent(json)} THEN ${withoutExponent(unquoted(json))} ELSE ${unquoted(json)} END` : unquoted(json)
  return `CASE WHEN ${json} <> 'null' THEN ${text} END`
}

const sign = (text: string) => `CASE WHEN starts_with(${text}, '-') THEN '-' ELSE '' END`
const whole = (text: string) => `split_part(${text}, '.', 1)`
const fraction = (text: string) => `rtrim(split_part(${text}, '.', 2), '0')`

/** Describes the texts `json` of a query. */
export const describeNumbers = (texts: string): string => `
  SELECT count(*) FILTER (text IS NULL) AS others, coalesce(bool_or(has_exponent), false) AS "hasExponents",
    coalesce(max(length(ltrim(${whole('text')}, '-0'))), 0) AS "wholeDigits", coalesce(max(length(${fraction('text')})), 0) AS "fractionDigits"
  FROM (
    SELECT CASE WHEN is_plain THEN ${unquoted('json')} WHEN has_exponent THEN ${withoutExponent(unquoted('json'))} END AS text, has_exponent
    FROM (
      SELECT json, is_plain, CASE WHEN is_plain THEN false ELSE ${hasExponent('json')} END AS has_exponent
      FROM (SELECT json, ${isPlain('json')} AS is_plain FROM (${texts}) WHERE json <> 'null')))`

export function findFault({ others, wholeDigits, fractionDigits }: NumberFormat & { others: number }): NumberFault | null {
  if (others > 0) return 'not_a_number'
  return Math.max(wholeDigits, fractionDigits) > digitsMax ? 'out_of_range' : null
}

const integer = (digits: number, sqlOf: (text: string) => string) => (text: string) =>
  `coalesce((${sqlOf(text)})::${digits > shortDigitsMax ? 'HUGEINT' : 'BIGINT'}, 0)`

export function addendsOf({ wholeDigits, fractionDigits }: NumberFormat): Addend[] {
  const units = (text: string) => `rpad(${fraction(text)}, ${fractionDigits}, '0')`
  const digits = wholeDigits + fractionDigits
  if (digits <= digitsMax) return [{ sql: integer(digits, (text) => `${whole(text)} || ${units(text)}`), scale: fractionDigits }]
  return [
    { sql: integer(wholeDigits, whole), scale: 0 },
    { sql: integer(fractionDigits, (text) => `${sign(text)} || ${units(text)}`), scale: fractionDigits },
  ]
}
