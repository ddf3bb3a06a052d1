export const browserTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Browsers may not list UTC, because it is not a place. */
export const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
