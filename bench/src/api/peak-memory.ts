import { readFileSync, writeFileSync } from 'node:fs'

/** How far a process's resident memory grew above where it stood, at its highest while `act` went on. */
export async function peakGrowthMb(pid: number, act: () => Promise<unknown>): Promise<number> {
  // Sets the kernel's high-water mark back to the present size, so that no peak between two looks is missed.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const beforeKb = readKb(pid, 'VmRSS')
  await act()
  return (readKb(pid, 'VmHWM') - beforeKb) / 1024
}

function readKb(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1])
}
