import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** The size of each entry of a folder, including its content. Files that disappear during the count are ignored. */
export async function readUsage(folder: string): Promise<{ name: string; bytes: number }[]> {
  const entries = await readdir(folder).catch(() => [])
  return Promise.all(entries.map(async (name) => ({ name, bytes: await sizeOf(path.join(folder, name)) })))
}

export async function sizeOf(place: string): Promise<number> {
  const found = await stat(place).catch(() => undefined)
  if (!found?.isDirectory()) return found?.size ?? 0
  let bytes = 0
  for (const entry of await readdir(place, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0
  }
  return bytes
}

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(bytes || 1) / 10)))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
