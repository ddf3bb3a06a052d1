import type { LexicalRules } from './lexical-rules.ts'

/** How a dialect writes and reads SQL, as far as parameters and names need it. */
export interface Syntax {
  lexicalRules: LexicalRules
  /** Whether a backslash escapes the next character of a plain string, `'…'`. */
  hasBackslashStrings: boolean
  /** How a quote inside quotes is written: doubled wherever the dialect supports it, because that works under every setting. */
  quoteEscape: 'double' | 'backslash'
  /** The quote around names, and whether a backslash escapes inside of it. */
  names: { quote: '"' | '`'; hasBackslashes: boolean }
  /** An escape that would absorb the first characters of a value, for escapes beyond `\\` and a single letter. */
  openEscape: RegExp
  literals: Literals
  /** Special spaces that the database replaces with plain ones outside of quotes. */
  alteredSpaces?: RegExp
}

/** Undefined for a value that the database cannot represent. */
export interface Literals {
  date(text: string): string | undefined
  /** `text`: UTC, such as `2026-01-05 09:00:00`. */
  timestamp(text: string): string | undefined
  true: string
  false: string
  /** Whether a timestamp inside quotes keeps the `T` and `Z` of ISO 8601. */
  readsIsoTimestamps: boolean
}

export const standardLiterals: Literals = {
  date: (text) => `DATE '${text}'`,
  timestamp: (text) => `TIMESTAMP '${text}'`,
  true: 'TRUE',
  false: 'FALSE',
  readsIsoTimestamps: true,
}

/** For dialects without such escapes. */
export const noOpenEscape = /(?!)/
