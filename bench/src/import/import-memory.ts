import { readdirSync, readFileSync } from 'node:fs'

const lookEveryMs = 20

/** Polls the process that runs an import, and records its peak memory. */
export function watchImportProcess(servicePid: number) {
  let mostKb = 0
  const look = setInterval(() => {
    for (const pid of childrenOf(servicePid)) mostKb = Math.max(mostKb, peakKb(pid))
  }, lookEveryMs)
  return {
    stop() {
      clearInterval(look)
      if (mostKb === 0) throw new Error('The import process was never seen.')
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

const peakKb = (pid: string) =>
  textOf(`/proc/${pid}/cmdline`).includes('import-child')
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
