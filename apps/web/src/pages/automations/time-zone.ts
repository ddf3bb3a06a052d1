export const browserTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
