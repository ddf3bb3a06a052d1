import { readdirSync, readFileSync } from 'node:fs'

const lookEveryMs = 20

export const watchImportProcess = (servicePid: number) => watchChildProcess(servicePid, 'import-child')

/** Polls the child process that runs a program, and records its peak memory. */
export function watchChildProcess(parentPid: number, program: string) {
  let mostKb = 0
  const look = setInterval(() => {
    for (const pid of childrenOf(parentPid)) mostKb = Math.max(mostKb, peakKb(pid, program))
  }, lookEveryMs)
  return {
    stop() {
      clearInterval(look)
      if (mostKb === 0) throw new Error(`A process of ${program} was never seen.`)
      return mostKb / 1024
    },
  }
}

/** Polls all child processes, and records the most memory of those that were alive at one time. Each counts with its own peak. */
export function watchChildProcesses(parentPid: number) {
  let mostKb = 0
  const look = setInterval(() => {
    const togetherKb = childrenOf(parentPid).reduce((sum, pid) => sum + peakKb(pid, ''), 0)
    mostKb = Math.max(mostKb, togetherKb)
  }, lookEveryMs)
  return {
    stop() {
      clearInterval(look)
      return mostKb / 1024
    },
  }
}

function childrenOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const children = textOf(`/proc/${pid}/task/${thread}/children`).trim()
    return children === '' ? [] : children.split(' ')
  })
}

const peakKb = (pid: string, program: string) =>
  textOf(`/proc/${pid}/cmdline`).includes(program)
    ? Number(/^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
    : 0

/** Empty if the process has exited. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
