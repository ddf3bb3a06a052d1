const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

/** A file size in decimal units, as file managers show it. */
export function fileSize(sizeBytes: number): string {
  const unit = Math.min(units.length - 1, sizeBytes < 1000 ? 0 : Math.floor(Math.log10(sizeBytes) / 3))
  const value = sizeBytes / 1000 ** unit
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
