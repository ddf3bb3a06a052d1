import { readdirSync, readFileSync } from 'node:fs'

/** CPU time of processes in seconds, with the kernel's resolution of a hundredth. */
const ticksPerSecond = 100

interface Stat {
  parent: number
  seconds: number
  /** CPU time of its exited children. */
  endedChildrenSeconds: number
}

/** The fields after the process name, which may contain any characters; see proc(5). */
function readStat(pid: number, file = `/proc/${pid}/stat`): Stat | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number)
    const seconds = (at: number) => (fields[at]! + fields[at + 1]!) / ticksPerSecond
    return { parent: fields[1]!, seconds: seconds(11), endedChildrenSeconds: seconds(13) }
  } catch {
    return undefined
  }
}

/** CPU time of the thread that a process began with. */
export const secondsOfMainThread = (pid: number) => readStat(pid, `/proc/${pid}/task/${pid}/stat`)?.seconds ?? 0

export const secondsOf = (pid: number) => readStat(pid)?.seconds ?? 0

/** CPU time of a process and its children, including exited ones. PostgreSQL has many processes. */
export function secondsOfFamily(pid: number): number {
  const own = readStat(pid)
  if (!own) return 0
  return own.seconds + own.endedChildrenSeconds + childrenOf(pid).reduce((sum, child) => sum + secondsOf(child), 0)
}

export const childrenOf = (pid: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => readStat(each)?.parent === pid)

export const parentOf = (pid: number) => readStat(pid)!.parent
