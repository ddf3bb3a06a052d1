/** How the editor highlights and completes a dialect, in the terms of CodeMirror, and which formatter it uses. */
export interface EditorDialect {
  /** Separated by spaces, like the other lists. For reading data only, since queries never change it, and limited to words worth
   * completing, so that a person's tables are not buried among rare keywords. */
  keywords: string
  types: string
  builtin: string
  operatorChars: string
  identifierQuotes: string
  doubleDollarQuotedStrings?: boolean
  caseInsensitiveIdentifiers?: boolean
  hashComments?: boolean
  spaceAfterDashes?: boolean
  backslashEscapes?: boolean
  doubleQuotedStrings?: boolean
  charSetCasts?: boolean
  /** Words that need quotes as names, besides those reserved in most dialects. */
  reserved?: string
  /** The name of the dialect in sql-formatter. */
  formatter: string
}

export const commonKeywords =
  'select from where group by having order limit offset with recursive as on using join inner left right full outer cross ' +
  'natural union intersect except all distinct case when then else end and or not in exists between like is null true false ' +
  'asc desc over partition rows range preceding following unbounded current row window values cast interval explain show any ' +
  'some collate escape default extract if for'
