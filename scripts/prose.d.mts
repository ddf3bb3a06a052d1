export interface Phrase {
  /** A regular expression without flags. Upper and lower case match; a space also matches a line break. */
  phrase: string
  say: string
}
export interface Finding {
  line: number
  phrase: string
  say: string
}
export interface CompiledPhrases {
  rules: { say: string; pattern: RegExp }[]
  any: RegExp
}
export function compilePhrases(phrases: Phrase[]): CompiledPhrases
export function findPhrases(text: string, compiled: CompiledPhrases): Finding[]
export function isProse(file: string, ignoredPaths: string[]): boolean
