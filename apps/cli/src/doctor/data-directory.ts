import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { type Check, failed, ok, warning } from '../check.ts'
import type { Examination } from './examine.ts'
import { inBytes, usageOf } from './usage.ts'

export interface FolderFacts {
  folder: string
  kind: 'missing' | 'folder' | 'other'
  isWritable: boolean
  /** Null where the system has no such thing. */
  ownerUid: number | null
  processUid: number | null
  mode: number
  /** Of the generated key; null where there is none. */
  keyMode: number | null
  ownerId: number | undefined
}

export const dataDirectory: Examination = {
  name: 'data directory',
  async look({ config, ownerId }) {
    const folder = config.dataDirectory
    const facts = await readFacts(folder, ownerId)
    const place = facts.kind === 'folder' ? folder : await nearestParent(folder)
    const { bavail, blocks, bsize } = await statfs(place)
    const uses = facts.kind === 'folder' ? await usageOf(folder) : []
    return [judgeFolder(facts), judgeDisk({ freeBytes: bavail * bsize, totalBytes: blocks * bsize, uses })]
  },
}

async function readFacts(folder: string, ownerId: number | undefined): Promise<FolderFacts> {
  const found = await stat(folder).catch(() => undefined)
  const key = await stat(path.join(folder, 'secret.key')).catch(() => undefined)
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  return {
    folder,
    kind: found === undefined ? 'missing' : found.isDirectory() ? 'folder' : 'other',
    isWritable,
    ownerUid: found && process.getuid ? found.uid : null,
    processUid: process.getuid?.() ?? null,
    mode: (found?.mode ?? 0) & 0o777,
    keyMode: key ? key.mode & 0o777 : null,
    ownerId,
  }
}

export function judgeFolder(facts: FolderFacts): Check {
  const name = 'data directory'
  const { folder } = facts
  if (facts.kind === 'missing') return ok(name, `${folder} is not there yet; the first start makes it.`)
  if (facts.kind === 'other') return failed(name, `${folder} is a file.`, 'Set DATA_DIR to a folder.')
  if (!facts.isWritable) {
    return failed(
      name,
      `${folder} cannot be written to by this user.`,
      'Run as the user of the service, or give it the folder (chown).',
    )
  }
  if (facts.ownerUid !== null && facts.processUid !== 0 && facts.ownerUid !== facts.processUid) {
    return warning(
      name,
      `${folder} belongs to user ${facts.ownerUid}; this is ${facts.processUid}.`,
      'Run this as the user of the service.',
    )
  }
  if (facts.keyMode !== null && (facts.keyMode & 0o077) !== 0) {
    return failed(
      name,
      `Others can read ${folder}/secret.key, which opens all stored secrets.`,
      `chmod 600 ${folder}/secret.key`,
    )
  }
  if ((facts.mode & 0o007) !== 0)
    return warning(name, `Everybody on this machine can look into ${folder}.`, `chmod 700 ${folder}`)
  return ok(
    name,
    facts.ownerId === undefined ? `${folder}; nobody is using it.` : `${folder}; process ${facts.ownerId} is using it.`,
  )
}

const scarceBytes = 200 * 2 ** 20
const lowBytes = 2 * 2 ** 30

export function judgeDisk(facts: {
  freeBytes: number
  totalBytes: number
  uses: { name: string; bytes: number }[]
}): Check {
  const largest = facts.uses
    .toSorted((a, b) => b.bytes - a.bytes)
    .filter(({ bytes }) => bytes > 0)
    .slice(0, 4)
  const used = largest.map(({ name, bytes }) => `${name} ${inBytes(bytes)}`).join(', ')
  const said = `${inBytes(facts.freeBytes)} of ${inBytes(facts.totalBytes)} are free${used && `; in use: ${used}`}.`
  const remedy = 'Free some. Results go by themselves after RESULT_TTL_HOURS; RESULTS=s3 keeps them elsewhere.'
  if (facts.freeBytes < scarceBytes) return failed('disk', said, remedy)
  if (facts.freeBytes < lowBytes) return warning('disk', said, remedy)
  return ok('disk', said)
}

async function nearestParent(folder: string): Promise<string> {
  for (let place = path.dirname(folder); ; place = path.dirname(place)) {
    if (place === path.dirname(place) || (await readdir(place).catch(() => undefined))) return place
  }
}
