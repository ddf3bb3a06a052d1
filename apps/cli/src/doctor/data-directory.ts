import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { type Check, failed, ok, warning } from '../checks.ts'
import type { Examination } from './examination.ts'
import { formatBytes, readUsage } from './disk-usage.ts'

export interface FolderFacts {
  folder: string
  kind: 'missing' | 'folder' | 'other'
  isWritable: boolean
  /** Null on systems without user ids. */
  ownerUid: number | null
  processUid: number | null
  mode: number
  /** The mode of the generated key file; null if there is none. */
  keyMode: number | null
  ownerId: number | undefined
}

export const dataDirectory: Examination = {
  name: 'data directory',
  async run({ config, ownerId }) {
    const folder = config.dataDirectory
    const facts = await readFacts(folder, ownerId)
    const place = facts.kind === 'folder' ? folder : await nearestParent(folder)
    const { bavail, blocks, bsize } = await statfs(place)
    const uses = facts.kind === 'folder' ? await readUsage(folder) : []
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
  if (facts.kind === 'missing') return ok(name, `${folder} does not exist yet; the first start creates it.`)
  if (facts.kind === 'other') return failed(name, `${folder} is a file.`, 'Set DATA_DIR to a folder.')
  if (!facts.isWritable) {
    return failed(
      name,
      `This user can’t write to ${folder}.`,
      'Run this as the service’s user, or change the owner (chown).',
    )
  }
  if (facts.ownerUid !== null && facts.processUid !== 0 && facts.ownerUid !== facts.processUid) {
    return warning(
      name,
      `${folder} belongs to user ${facts.ownerUid}; you are user ${facts.processUid}.`,
      'Run this as the service’s user.',
    )
  }
  if (facts.keyMode !== null && (facts.keyMode & 0o077) !== 0) {
    return failed(
      name,
      `Other users can read ${folder}/secret.key, which decrypts all stored secrets.`,
      `chmod 600 ${folder}/secret.key`,
    )
  }
  if ((facts.mode & 0o007) !== 0)
    return warning(name, `All users of this machine can read ${folder}.`, `chmod 700 ${folder}`)
  return ok(
    name,
    facts.ownerId === undefined ? `${folder}; not in use.` : `${folder}; in use by process ${facts.ownerId}.`,
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
  const used = largest.map(({ name, bytes }) => `${name} ${formatBytes(bytes)}`).join(', ')
  const message = `${formatBytes(facts.freeBytes)} of ${formatBytes(facts.totalBytes)} free${used && `; in use: ${used}`}.`
  const remedy = 'Free some space. Results expire after RESULT_TTL_HOURS; RESULTS=s3 stores them elsewhere.'
  if (facts.freeBytes < scarceBytes) return failed('disk', message, remedy)
  if (facts.freeBytes < lowBytes) return warning('disk', message, remedy)
  return ok('disk', message)
}

async function nearestParent(folder: string): Promise<string> {
  for (let place = path.dirname(folder); ; place = path.dirname(place)) {
    if (place === path.dirname(place) || (await readdir(place).catch(() => undefined))) return place
  }
}
