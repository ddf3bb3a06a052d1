/** The same object with its times as JSON has them. */
export type TimesAsText<Shown> = {
  [Key in keyof Shown]: [Extract<Shown[Key], Date>] extends [never] ? Shown[Key] : Exclude<Shown[Key], Date> | string
}

/** Writes the times among an object's own properties in ISO 8601, and leaves everything else as it is. */
export function timesAsText<Shown extends object>(shown: Shown): TimesAsText<Shown> {
  const entries = Object.entries(shown).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : (value as unknown)])
  return Object.fromEntries(entries) as TimesAsText<Shown>
}
