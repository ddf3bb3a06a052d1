const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

/** In decimal units with three digits, such as "1.23 GB". */
export function describeBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`
}
