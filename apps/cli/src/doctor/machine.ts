import os from 'node:os'
import { type Check, failed, ok, warning } from '../check.ts'
import type { Examination } from './examine.ts'

/** What `querypost start` needs; the packages it is made of do not run on older ones. */
export const oldestNode = '22.19.0'
const enoughMemoryMb = 1536

export const machine: Examination = {
  name: 'machine',
  look: async () => {
    // A container has less than its machine; 0 or more than all there is stands for no limit.
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
        `Node ${version} is too old; ${oldestNode} or newer is needed.`,
        'Install a newer one: https://nodejs.org',
      )
    : ok('node', `Node ${version}`)
}

export function judgeMemory({ totalMb, cores }: { totalMb: number; cores: number }): Check {
  const said = `${(totalMb / 1024).toFixed(1)} GB of memory, ${cores} ${cores === 1 ? 'core' : 'cores'}`
  if (totalMb >= enoughMemoryMb) return ok('memory', said)
  return warning(
    'memory',
    said,
    'A large query takes up to 2 GB. With less, such a query fails, and the system may end the service.',
  )
}
