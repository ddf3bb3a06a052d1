import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Measures the peak resident memory during each `act`, relative to when this was called. All use the same baseline, because a process
 * keeps memory it once took, which would hide the growth since the previous act.
 */
export function peakGrowth(pid: number) {
  const beforeKb = readKb(pid, 'VmRSS')
  return async (act: () => Promise<unknown>): Promise<number> => {
    // Reset the kernel's high-water mark, so that no peak between two readings is missed.
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    await act()
    return (readKb(pid, 'VmHWM') - beforeKb) / 1024
  }
}

export function readKb(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1])
}
