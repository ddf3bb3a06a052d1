import os from 'node:os'
import { type Check, failed, ok, warning } from '../checks.ts'
import type { Examination } from './examination.ts'

/** The oldest Node that the dependencies of `querypost start` support. */
export const oldestNode = '22.19.0'
const enoughMemoryMb = 1536

export const machine: Examination = {
  name: 'machine',
  run: async () => {
    // The memory limit of a container. Zero, or more than the machine has, means no limit.
    const limitMb = (process.constrainedMemory?.() ?? 0) / 2 ** 20
    const totalMb = os.totalmem() / 2 ** 20
    return [
      judgeNode(process.versions.node),
      judgeMemory({ totalMb: limitMb > 0 && limitMb < totalMb ? limitMb : totalMb, cores: os.availableParallelism() }),
    ]
  },
}

export function judgeNode(version: string): Check {
  const isOlder = version.localeCompare(oldestNode, 'en', { numeric: true }) < 0
  return isOlder
    ? failed(
        'node',
        `Node ${version} is too old; Querypost needs ${oldestNode} or newer.`,
        'Install a newer version: https://nodejs.org',
      )
    : ok('node', `Node ${version}`)
}

export function judgeMemory({ totalMb, cores }: { totalMb: number; cores: number }): Check {
  const message = `${(totalMb / 1024).toFixed(1)} GB of memory, ${cores} ${cores === 1 ? 'core' : 'cores'}`
  if (totalMb >= enoughMemoryMb) return ok('memory', message)
  return warning(
    'memory',
    message,
    'A large query needs up to 2 GB. With less memory such a query fails, and the system may kill the service.',
  )
}
