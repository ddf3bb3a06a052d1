const format = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** "Nov 16, 2026, 08:00 UTC". Recipients are in many time zones, so it says which one it uses. */
export const shownTime = (isoTime: string): string => `${format.format(new Date(isoTime))} UTC`
