export const browserTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** UTC is no place, so a browser does not list it. */
export const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
