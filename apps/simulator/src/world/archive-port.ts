import type { ArchiveWorkerDeps } from '@querypost/server/background-work'
import type { PortOptions } from './engine-port.ts'

/** Stores results in an archive that is slow and sometimes fails. */
export function makeArchivePort({ machine, chance, coverage, faults, work }: PortOptions): ArchiveWorkerDeps['archiveResult'] {
  return async (job, signal) => {
    const fault = faults.meet(machine, 'archive.store')
    if (fault.crash === 'before') machine.die()
    await new Promise<void>((resolve) => void machine.later(chance.between(10, 90_000), resolve))
    signal.throwIfAborted()
    if (chance.isTrue(0.1)) {
      coverage.count('kept result: storing fails')
      throw new Error('the archive is away')
    }
    const objectId = `arc_${job.id}_${job.leaseNumber}`
    work.archive.set(objectId, job.id)
    if (fault.crash === 'after') machine.die()
    return { state: 'archived', objectId, storedBytes: 1 }
  }
}
