/** The same object with its dates as strings. */
export type TimesAsText<Shown> = {
  [Key in keyof Shown]: [Extract<Shown[Key], Date>] extends [never] ? Shown[Key] : Exclude<Shown[Key], Date> | string
}

/** Converts the dates among an object's own properties to ISO 8601. */
export function timesAsText<Shown extends object>(shown: Shown): TimesAsText<Shown> {
  const entries = Object.entries(shown).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : (value as unknown)])
  return Object.fromEntries(entries) as TimesAsText<Shown>
}
