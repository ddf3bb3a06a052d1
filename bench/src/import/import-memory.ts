import { readdirSync, readFileSync } from 'node:fs'

const lookEveryMs = 20

/**
 * Looks again and again at the process in which an import happens, and keeps the highest memory it was seen to have
 * held.
 */
export function watchImportProcess(servicePid: number) {
  let mostKb = 0
  const look = setInterval(() => {
    for (const pid of childrenOf(servicePid)) mostKb = Math.max(mostKb, peakKb(pid))
  }, lookEveryMs)
  return {
    stop() {
      clearInterval(look)
      if (mostKb === 0) throw new Error('The process of the import was never seen.')
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

/** Empty when the process has gone. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
