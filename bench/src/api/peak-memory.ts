import { readFileSync, writeFileSync } from 'node:fs'

/**
 * How far a process's resident memory stands above where it stood when this was called, at its highest during each `act`.
 * All are held against that one moment: a process keeps what it once took, so growth since the act before would hide it.
 */
export function peakGrowth(pid: number) {
  const beforeKb = readKb(pid, 'VmRSS')
  return async (act: () => Promise<unknown>): Promise<number> => {
    // Sets the kernel's high-water mark back to the present size, so that no peak between two looks is missed.
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    await act()
    return (readKb(pid, 'VmHWM') - beforeKb) / 1024
  }
}

export function readKb(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1])
}
